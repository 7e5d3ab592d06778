/** Host names of URLs. */
export interface UrlHosts {
  /** The host as a URL shows it. Undefined: not a host. Names outside ASCII are not supported. */
  parse(text: string, special: boolean): string | undefined
}

/** Runs in the engine. */
export function createUrlHosts(encode: (text: string, also: string) => string): UrlHosts {
  const FORBIDDEN_HOST = /[\0\t\n\r #/:<>?@[\\\]^|]/
  const FORBIDDEN_DOMAIN = /[\0-\x20#%/:<>?@[\\\]^|\x7F]/

  const ZEROS = [0, 0, 0, 0, 0, 0, 0, 0]

  function parse(text: string, special: boolean): string | undefined {
    if (text.startsWith('[')) return text.endsWith(']') ? parseIpv6(text.slice(1, -1)) : undefined
    if (!special) return FORBIDDEN_HOST.test(text) ? undefined : encode(text, '')
    const name = decodeAscii(text)?.toLowerCase()
    if (name === undefined || name === '' || FORBIDDEN_DOMAIN.test(name)) return undefined
    return endsInNumber(name) ? parseIpv4(name) : name
  }

  function decodeAscii(text: string): string | undefined {
    const name = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
    for (let i = 0; i < name.length; i++) if (name.charCodeAt(i) > 127) return undefined
    return name
  }

  function endsInNumber(name: string): boolean {
    const parts = name.split('.')
    if (parts.at(-1) === '' && parts.length > 1) parts.pop()
    const last = parts.at(-1) ?? ''
    return /^\d+$/.test(last) || /^0x[0-9a-f]*$/.test(last)
  }

  function parseIpv4(name: string): string | undefined {
    const parts = name.split('.')
    if (parts.at(-1) === '' && parts.length > 1) parts.pop()
    if (parts.length > 4) return undefined
    const numbers: number[] = []
    for (const part of parts) {
      const value = ipv4Number(part)
      if (value === undefined) return undefined
      numbers.push(value)
    }
    const last = numbers.pop() ?? 0
    if (numbers.some(value => value > 255) || last >= 256 ** (4 - numbers.length)) return undefined
    let address = last
    for (const [index, value] of numbers.entries()) address += value * 256 ** (3 - index)
    return [24, 16, 8, 0].map(shift => Math.floor(address / 2 ** shift) % 256).join('.')
  }

  function ipv4Number(part: string): number | undefined {
    if (/^0x[0-9a-f]*$/.test(part)) return part === '0x' ? 0 : Number(part)
    if (/^0[0-7]*$/.test(part)) return Number.parseInt(part, 8)
    return /^[1-9]\d*$/.test(part) ? Number(part) : undefined
  }

  function parseIpv6(text: string): string | undefined {
    const halves = text.split('::')
    if (halves.length > 2) return undefined
    const [head, tail] = halves.map(half => pieces(half))
    if (head === undefined || (halves.length === 2 && tail === undefined)) return undefined
    const filled = head.length + (tail?.length ?? 0)
    if (halves.length === 1 ? filled !== 8 : filled > 7) return undefined
    const all = tail === undefined ? head : [...head, ...ZEROS.slice(filled), ...tail]
    return '[' + compress(all) + ']'
  }

  function pieces(half: string): number[] | undefined {
    if (half === '') return []
    const out: number[] = []
    const parts = half.split(':')
    for (const [index, part] of parts.entries()) {
      if (/^[0-9a-f]{1,4}$/i.test(part)) out.push(Number.parseInt(part, 16))
      else {
        const bytes = part.split('.').map(byte => (/^(0|[1-9]\d{0,2})$/.test(byte) ? Number(byte) : 256))
        if (index !== parts.length - 1 || bytes.length !== 4 || bytes.some(byte => byte > 255))
          return undefined
        const [a = 0, b = 0, c = 0, d = 0] = bytes
        out.push(a * 256 + b, c * 256 + d)
      }
    }
    return out
  }

  /** The first longest run of two or more zeros becomes `::`. */
  function compress(all: number[]): string {
    let best = { start: -1, length: 1 }
    for (let i = 0; i < 8; i++) {
      let length = 0
      while (all[i + length] === 0) length++
      if (length > best.length) best = { start: i, length }
    }
    const hex = (list: number[]): string => list.map(piece => piece.toString(16)).join(':')
    if (best.start < 0) return hex(all)
    return hex(all.slice(0, best.start)) + '::' + hex(all.slice(best.start + best.length))
  }

  return { parse }
}
