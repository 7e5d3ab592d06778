import type { UrlHosts } from './url-host.ts'

/** The parts of a URL, encoded. */
export interface UrlRecord {
  scheme: string
  username: string
  password: string
  /** Null: none. */
  host: string | null
  port: number | null
  /** A string: an opaque path. */
  path: string[] | string
  query: string | null
  fragment: string | null
}

export interface UrlRecords {
  /** Undefined: not a URL. */
  parse(input: string, base?: UrlRecord): UrlRecord | undefined
  serialize(url: UrlRecord, withFragment: boolean): string
  pathText(url: UrlRecord): string
  isSpecial(url: UrlRecord): boolean
  defaultPort(scheme: string): number | null
  setAuthority(url: UrlRecord, authority: string): boolean
  setHost(url: UrlRecord, host: string): boolean
  setPath(url: UrlRecord, path: string): void
  setQuery(url: UrlRecord, query: string): void
  setFragment(url: UrlRecord, fragment: string): void
  encodeUserInfo(text: string): string
}

/** Percent-encodes controls, everything outside ASCII, and the characters of `also`. */
export function percentEncode(text: string, also: string): string {
  let out = ''
  for (const character of text) {
    if (character > '~') out += encodeURIComponent(character.replace(/\p{Cs}/u, '\uFFFD'))
    else if (character < ' ' || also.includes(character)) {
      out += '%' + character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')
    } else out += character
  }
  return out
}

/** Runs in the engine. Parsing and writing by the URL standard, in one pass per part. */
export function createUrlRecords(
  encode: (text: string, also: string) => string,
  hosts: UrlHosts,
): UrlRecords {
  const PORTS: Record<string, number | null> = {
    'http:': 80,
    'https:': 443,
    'ws:': 80,
    'wss:': 443,
    'ftp:': 21,
    'file:': null,
  }
  const FRAGMENT = ' "<>`'
  const QUERY = ' "#<>'
  const PATH = QUERY + '?^`{}'
  const USER_INFO = PATH + '/:;=@[\\]|'
  const DRIVE = /^[A-Za-z][:|]$/

  const isSpecialScheme = (scheme: string): boolean => Object.hasOwn(PORTS, scheme)

  function parse(given: string, base?: UrlRecord): UrlRecord | undefined {
    let rest = given.replace(/^[\0- ]+|[\0- ]+$/g, '').replace(/[\t\n\r]/g, '')
    const [, scheme] = /^([A-Za-z][A-Za-z0-9+.-]*:)/.exec(rest) ?? []
    const url = emptyRecord(scheme?.toLowerCase() ?? base?.scheme ?? '')
    const hash = rest.indexOf('#')
    if (hash >= 0) {
      setFragment(url, rest.slice(hash + 1))
      rest = rest.slice(0, hash)
    }
    if (scheme !== undefined) rest = rest.slice(scheme.length)
    const mark = rest.indexOf('?')
    if (mark >= 0) {
      setQuery(url, rest.slice(mark + 1))
      rest = rest.slice(0, mark)
    }
    if (scheme === undefined) {
      if (base === undefined) return undefined
      if (typeof base.path === 'string') {
        return rest === '' && mark < 0 && hash >= 0 ? { ...base, fragment: url.fragment } : undefined
      }
      return relative(url, rest, base)
    }
    if (url.scheme === 'file:') return relative(url, rest, base?.scheme === 'file:' ? base : undefined)
    if (isSpecialScheme(url.scheme)) {
      if (base?.scheme === url.scheme && !/^[/\\]/.test(rest)) return relative(url, rest, base)
      if (base?.scheme === url.scheme && !rest.startsWith('//')) return relative(url, rest, base)
      return absolute(url, rest.replace(/^[/\\]*/, ''))
    }
    if (rest.startsWith('//')) return absolute(url, rest.slice(2))
    if (rest.startsWith('/')) setPath(url, rest)
    else url.path = encode(rest, '')
    return url
  }

  function emptyRecord(scheme: string): UrlRecord {
    return {
      scheme,
      username: '',
      password: '',
      host: null,
      port: null,
      path: [],
      query: null,
      fragment: null,
    }
  }

  function relative(url: UrlRecord, given: string, base: UrlRecord | undefined): UrlRecord | undefined {
    const rest = isSpecialScheme(url.scheme) ? given.replaceAll('\\', '/') : given
    const file = url.scheme === 'file:'
    if (rest.startsWith('//')) {
      return absolute(url, file || !isSpecialScheme(url.scheme) ? rest.slice(2) : rest.replace(/^\/*/, ''))
    }
    if (file) url.host = base?.host ?? ''
    else if (base !== undefined) {
      const { username, password, host, port } = base
      Object.assign(url, { username, password, host, port })
    }
    const before = typeof base?.path === 'object' ? base.path : []
    if (rest.startsWith('/')) {
      const drive =
        file && DRIVE.test(before[0] ?? '') && !/^\/[A-Za-z][:|](\/|$)/.test(rest)
          ? [before[0] as string]
          : []
      url.path = drive
      appendPath(url, rest.slice(1))
      return url
    }
    if (rest === '' && base !== undefined) {
      url.path = [...before]
      if (url.query === null) url.query = base.query
      return url
    }
    if (file && /^[A-Za-z][:|](\/|$)/.test(rest)) url.path = []
    else
      url.path =
        before.slice(0, -1).length === 0 && file && DRIVE.test(before[0] ?? '')
          ? [...before]
          : before.slice(0, -1)
    appendPath(url, rest)
    return url
  }

  /** `rest` begins with the authority. */
  function absolute(url: UrlRecord, rest: string): UrlRecord | undefined {
    const special = isSpecialScheme(url.scheme)
    const end = rest.search(special ? /[/\\]/ : /\//)
    const authority = end < 0 ? rest : rest.slice(0, end)
    const path = end < 0 ? '' : rest.slice(end)
    if (url.scheme === 'file:') {
      if (DRIVE.test(authority)) url.host = ''
      else if (!setFileHost(url, authority)) return undefined
      setPath(url, DRIVE.test(authority) ? '/' + rest : path)
      return url
    }
    if (!setAuthority(url, authority)) return undefined
    setPath(url, path)
    return url
  }

  function setFileHost(url: UrlRecord, authority: string): boolean {
    const host = authority === '' ? '' : hosts.parse(authority, true)
    if (host === undefined) return false
    url.host = host === 'localhost' ? '' : host
    return true
  }

  function setAuthority(url: UrlRecord, authority: string): boolean {
    const at = authority.lastIndexOf('@')
    if (at >= 0) {
      const userInfo = authority.slice(0, at)
      const colon = userInfo.indexOf(':')
      url.username = encode(colon < 0 ? userInfo : userInfo.slice(0, colon), USER_INFO)
      url.password = colon < 0 ? '' : encode(userInfo.slice(colon + 1), USER_INFO)
    }
    const [, name = '', port] = /^((?:\[[^\]]*\]|[^:[])*)(?::(\d*))?$/.exec(authority.slice(at + 1)) ?? [
      '',
      '\0',
    ]
    if (name === '' && (at >= 0 || port !== undefined)) return false
    if (!setHost(url, name)) return false
    if (port !== undefined && port !== '') {
      if (Number(port) > 65_535) return false
      url.port = Number(port) === PORTS[url.scheme] ? null : Number(port)
    }
    return true
  }

  function setHost(url: UrlRecord, name: string): boolean {
    const special = isSpecialScheme(url.scheme)
    if (name === '') {
      if (!special || url.scheme === 'file:') url.host = ''
      return !special || url.scheme === 'file:'
    }
    const host = hosts.parse(name, special)
    if (host === undefined) return false
    url.host = host
    return true
  }

  function setPath(url: UrlRecord, path: string): void {
    const special = isSpecialScheme(url.scheme)
    url.path = []
    const text = special ? path.replaceAll('\\', '/') : path
    if (text === '' && !special) return
    appendPath(url, text.startsWith('/') ? text.slice(1) : text)
  }

  function appendPath(url: UrlRecord, text: string): void {
    const path = url.path as string[]
    const segments = text.split('/')
    for (const [index, segment] of segments.entries()) {
      const last = index === segments.length - 1
      const plain = segment.replace(/%2e/gi, '.')
      if (plain === '..') {
        const drive = url.scheme === 'file:' && path.length === 1 && /^[A-Za-z]:$/.test(path[0] ?? '')
        if (!drive) path.pop()
        if (last) path.push('')
      } else if (plain === '.') {
        if (last) path.push('')
      } else if (url.scheme === 'file:' && path.length === 0 && DRIVE.test(segment))
        path.push(segment.charAt(0) + ':')
      else path.push(encode(segment, PATH))
    }
  }

  function setQuery(url: UrlRecord, query: string): void {
    url.query = encode(query, isSpecialScheme(url.scheme) ? QUERY + "'" : QUERY)
  }

  function setFragment(url: UrlRecord, fragment: string): void {
    url.fragment = encode(fragment, FRAGMENT)
  }

  function pathText(url: UrlRecord): string {
    return typeof url.path === 'string' ? url.path : url.path.map(segment => '/' + segment).join('')
  }

  function serialize(url: UrlRecord, withFragment: boolean): string {
    let out = url.scheme
    if (url.host !== null) {
      out += '//'
      if (url.username !== '' || url.password !== '') {
        out += url.username + (url.password === '' ? '' : ':' + url.password) + '@'
      }
      out += url.host + (url.port === null ? '' : ':' + url.port)
    } else if (typeof url.path !== 'string' && url.path.length > 1 && url.path[0] === '') out += '/.'
    out += pathText(url) + (url.query === null ? '' : '?' + url.query)
    return out + (withFragment && url.fragment !== null ? '#' + url.fragment : '')
  }

  return {
    parse,
    serialize,
    pathText,
    isSpecial: url => isSpecialScheme(url.scheme),
    defaultPort: scheme => PORTS[scheme] ?? null,
    setAuthority,
    setHost,
    setPath,
    setQuery,
    setFragment,
    encodeUserInfo: text => encode(text, USER_INFO),
  }
}
