import type { SearchParamsTools } from './search-params.ts'
import type { UrlRecord, UrlRecords } from './url-record.ts'

/** Runs in the engine. The URL class over its records. */
export function createUrl(records: UrlRecords, params: SearchParamsTools): Record<string, unknown> {
  const { URLSearchParams } = params

  /** ToString, as the standard converts its arguments. */
  const textOf: (value: unknown) => string = String

  function recordOf(input: unknown, base: unknown): UrlRecord | undefined {
    if (base === undefined) return records.parse(textOf(input))
    const baseRecord = records.parse(textOf(base))
    return baseRecord === undefined ? undefined : records.parse(textOf(input), baseRecord)
  }

  class URL {
    #url: UrlRecord
    #params: object | undefined

    constructor(input: unknown, base?: unknown) {
      const url = recordOf(input, base)
      if (url === undefined) {
        const error = new TypeError('Invalid URL: ' + textOf(input).slice(0, 200))
        throw Object.assign(error, { code: 'ERR_INVALID_URL', input: textOf(input) })
      }
      this.#url = url
    }

    static canParse(input: unknown, base?: unknown): boolean {
      return recordOf(input, base) !== undefined
    }

    static parse(input: unknown, base?: unknown): URL | null {
      return URL.canParse(input, base) ? new URL(input, base) : null
    }

    get href(): string {
      return records.serialize(this.#url, true)
    }

    set href(value: unknown) {
      this.#url = new URL(value).#url
      this.#refresh()
    }

    get origin(): string {
      const { scheme, host, port, path } = this.#url
      if (scheme === 'blob:' && typeof path === 'string') {
        const inner = records.parse(path)
        return inner?.scheme === 'http:' || inner?.scheme === 'https:' ? new URL(path).origin : 'null'
      }
      if (!records.isSpecial(this.#url) || scheme === 'file:') return 'null'
      return scheme + '//' + host + (port === null ? '' : ':' + port)
    }

    get protocol(): string {
      return this.#url.scheme
    }

    set protocol(value: unknown) {
      const [, scheme] = /^([A-Za-z][A-Za-z0-9+.-]*)(?::|$)/.exec(textOf(value)) ?? []
      if (scheme === undefined) return
      const next: UrlRecord = { ...this.#url, scheme: scheme.toLowerCase() + ':' }
      if (records.isSpecial(next) !== records.isSpecial(this.#url)) return
      if (next.scheme === 'file:' && (next.username !== '' || next.password !== '' || next.port !== null))
        return
      if (this.#url.scheme === 'file:' && this.#url.host === '') return
      if (next.port === records.defaultPort(next.scheme)) next.port = null
      this.#url = next
    }

    get username(): string {
      return this.#url.username
    }

    set username(value: unknown) {
      if (this.#hasAuthority()) this.#url.username = records.encodeUserInfo(textOf(value))
    }

    get password(): string {
      return this.#url.password
    }

    set password(value: unknown) {
      if (this.#hasAuthority()) this.#url.password = records.encodeUserInfo(textOf(value))
    }

    get host(): string {
      const { host, port } = this.#url
      return (host ?? '') + (port === null ? '' : ':' + port)
    }

    set host(value: unknown) {
      if (typeof this.#url.path === 'string') return
      const [text = ''] = textOf(value).split(/[/?#\\]/, 1)
      const [, name = '', port = ''] = /^((?:\[[^\]]*\]|[^:[])*)(?::(\d*))?/.exec(text) ?? []
      const file = this.#url.scheme === 'file:'
      if (text.includes('@') || (name === '' && text !== '') || (file && name !== text)) return
      if (records.setHost(this.#url, name) && port !== '') this.port = port
    }

    get hostname(): string {
      return this.#url.host ?? ''
    }

    set hostname(value: unknown) {
      if (typeof this.#url.path === 'string') return
      const [text = ''] = textOf(value).split(/[/?#\\]/, 1)
      if (!text.includes('@') && (text.startsWith('[') || !text.includes(':')))
        records.setHost(this.#url, text)
    }

    get port(): string {
      return this.#url.port === null ? '' : textOf(this.#url.port)
    }

    set port(value: unknown) {
      if (!this.#hasAuthority()) return
      const [digits] = /^\d+/.exec(textOf(value)) ?? []
      if (textOf(value) === '') this.#url.port = null
      else if (digits !== undefined && Number(digits) <= 65_535) {
        this.#url.port = Number(digits) === records.defaultPort(this.#url.scheme) ? null : Number(digits)
      }
    }

    get pathname(): string {
      return records.pathText(this.#url)
    }

    set pathname(value: unknown) {
      if (typeof this.#url.path !== 'string') records.setPath(this.#url, textOf(value))
    }

    get search(): string {
      return this.#url.query === null || this.#url.query === '' ? '' : '?' + this.#url.query
    }

    set search(value: unknown) {
      const text = textOf(value)
      if (text === '') this.#url.query = null
      else records.setQuery(this.#url, text.startsWith('?') ? text.slice(1) : text)
      this.#refresh()
    }

    get searchParams(): object {
      this.#params ??= params.bind(this.#url.query ?? '', query => {
        this.#url.query = query === '' ? null : query
      })
      return this.#params
    }

    get hash(): string {
      return this.#url.fragment === null || this.#url.fragment === '' ? '' : '#' + this.#url.fragment
    }

    set hash(value: unknown) {
      const text = textOf(value)
      if (text === '') this.#url.fragment = null
      else records.setFragment(this.#url, text.startsWith('#') ? text.slice(1) : text)
    }

    #hasAuthority(): boolean {
      const { host, scheme } = this.#url
      return host !== null && host !== '' && scheme !== 'file:'
    }

    #refresh(): void {
      if (this.#params !== undefined) params.refresh(this.#params, this.#url.query ?? '')
    }

    toString(): string {
      return this.href
    }

    toJSON(): string {
      return this.href
    }

    get [Symbol.toStringTag](): string {
      return 'URL'
    }
  }

  return { URL, URLSearchParams }
}
