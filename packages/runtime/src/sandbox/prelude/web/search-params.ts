import type { Utf8 } from './utf8.ts'

export interface SearchParamsTools {
  /** The class; `bind` makes one that reports each change. */
  URLSearchParams: new (init?: unknown) => object
  bind(query: string, onChange: (query: string) => void): object
  /** Reads a query anew into a bound one. */
  refresh(params: object, query: string): void
}

/** Runs in the engine. URLSearchParams and its link to a URL. */
export function createSearchParams(utf8: Utf8): SearchParamsTools {
  type Pair = [name: string, value: string]

  /** ToString, as the standard converts its arguments. */
  const textOf: (value: unknown) => string = String

  /** Lone surrogates become U+FFFD. */
  const wellFormed = (text: string): string => text.replace(/\p{Cs}/gu, '\uFFFD')

  function decode(part: string): string {
    const text = part.replaceAll('+', ' ')
    if (!text.includes('%')) return text
    const raw = utf8.encode(text)
    const bytes: number[] = []
    for (let i = 0; i < raw.length; i++) {
      const hex = raw[i] === 37 ? String.fromCharCode(raw[i + 1] ?? 0, raw[i + 2] ?? 0) : ''
      if (/^[0-9a-f]{2}$/i.test(hex)) {
        bytes.push(Number.parseInt(hex, 16))
        i += 2
      } else bytes.push(raw[i] as number)
    }
    return utf8.decode(new Uint8Array(bytes), false, true)?.text ?? ''
  }

  function encode(text: string): string {
    return encodeURIComponent(wellFormed(text))
      .replace(/[!'()~]/g, mark => '%' + mark.charCodeAt(0).toString(16).toUpperCase())
      .replaceAll('%20', '+')
  }

  function parse(query: string): Pair[] {
    const pairs: Pair[] = []
    for (const part of query.split('&')) {
      if (part === '') continue
      const equals = part.indexOf('=')
      const name = equals < 0 ? part : part.slice(0, equals)
      pairs.push([decode(name), equals < 0 ? '' : decode(part.slice(equals + 1))])
    }
    return pairs
  }

  function pairsOf(init: unknown): Pair[] {
    if (init === undefined) return []
    if (init === null || (typeof init !== 'object' && typeof init !== 'function')) {
      const text = textOf(init)
      return parse(text.startsWith('?') ? text.slice(1) : text)
    }
    if (typeof (init as { [Symbol.iterator]?: unknown })[Symbol.iterator] === 'function') {
      return Array.from(init as Iterable<Iterable<unknown>>, entry => {
        const pair = [...entry]
        if (pair.length !== 2) throw new TypeError('Each entry of URLSearchParams needs a name and a value.')
        return [wellFormed(textOf(pair[0])), wellFormed(textOf(pair[1]))]
      })
    }
    return Object.entries(init).map(([name, value]) => [wellFormed(name), wellFormed(textOf(value))])
  }

  class URLSearchParams {
    #pairs: Pair[]
    #onChange: ((query: string) => void) | undefined

    constructor(init?: unknown) {
      this.#pairs = pairsOf(init)
    }

    static bind(query: string, onChange: (query: string) => void): URLSearchParams {
      const params = new URLSearchParams()
      params.#pairs = parse(query)
      params.#onChange = onChange
      return params
    }

    static refresh(params: URLSearchParams, query: string): void {
      params.#pairs = parse(query)
    }

    #changed(): void {
      this.#onChange?.(this.toString())
    }

    get size(): number {
      return this.#pairs.length
    }

    append(name: unknown, value: unknown): void {
      this.#pairs.push([wellFormed(textOf(name)), wellFormed(textOf(value))])
      this.#changed()
    }

    delete(name: unknown, value?: unknown): void {
      this.#pairs = this.#pairs.filter(
        pair => pair[0] !== textOf(name) || (value !== undefined && pair[1] !== textOf(value)),
      )
      this.#changed()
    }

    get(name: unknown): string | null {
      return this.#pairs.find(pair => pair[0] === textOf(name))?.[1] ?? null
    }

    getAll(name: unknown): string[] {
      return this.#pairs.filter(pair => pair[0] === textOf(name)).map(pair => pair[1])
    }

    has(name: unknown, value?: unknown): boolean {
      return this.#pairs.some(
        pair => pair[0] === textOf(name) && (value === undefined || pair[1] === textOf(value)),
      )
    }

    set(name: unknown, value: unknown): void {
      const key = wellFormed(textOf(name))
      const first = this.#pairs.findIndex(pair => pair[0] === key)
      if (first < 0) this.#pairs.push([key, wellFormed(textOf(value))])
      else {
        this.#pairs = this.#pairs.filter((pair, index) => index <= first || pair[0] !== key)
        this.#pairs[first] = [key, wellFormed(textOf(value))]
      }
      this.#changed()
    }

    sort(): void {
      this.#pairs.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0))
      this.#changed()
    }

    forEach(callback: (value: string, name: string, params: URLSearchParams) => void, self?: unknown): void {
      for (const [name, value] of this) callback.call(self, value, name, this)
    }

    *entries(): Generator<Pair> {
      for (let i = 0; i < this.#pairs.length; i++) yield [...(this.#pairs[i] as Pair)]
    }

    *keys(): Generator<string> {
      for (const [name] of this.entries()) yield name
    }

    *values(): Generator<string> {
      for (const [, value] of this.entries()) yield value
    }

    [Symbol.iterator](): Generator<Pair> {
      return this.entries()
    }

    toString(): string {
      return this.#pairs.map(([name, value]) => encode(name) + '=' + encode(value)).join('&')
    }

    get [Symbol.toStringTag](): string {
      return 'URLSearchParams'
    }
  }

  const { bind, refresh } = URLSearchParams
  delete (URLSearchParams as { bind?: unknown }).bind
  delete (URLSearchParams as { refresh?: unknown }).refresh
  return { URLSearchParams, bind, refresh }
}
