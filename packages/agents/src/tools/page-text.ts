const BLOCKS =
  /<\/?(p|div|section|article|header|footer|main|ul|ol|li|table|tr|h[1-6]|pre|blockquote|br|hr)\b[^<>]*>/gi
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** The words of an HTML page; headings, items and paragraphs on lines of their own. */
export function pageText(html: string): string {
  return withoutElements(html, ['script', 'style', 'noscript', 'template', 'svg'])
    .replaceAll(/<!--[^]*?(-->|$)/g, '')
    .replaceAll(/<h([1-6])\b[^<>]*>/gi, (_, level: string) => `\n${'#'.repeat(Number(level))} `)
    .replaceAll(/<li\b[^<>]*>/gi, '\n- ')
    .replaceAll(BLOCKS, '\n')
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/&(#x?[0-9a-f]+|[a-z]+);/gi, decode)
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/ ?\n[ \n]*/g, '\n')
    .trim()
}

function withoutElements(html: string, names: string[]): string {
  let text = html
  for (const name of names) {
    const pieces = text.split(new RegExp(`<${name}\\b`, 'i'))
    const [first = '', ...rest] = pieces
    text = first + rest.map(piece => afterEnd(piece, name)).join('')
  }
  return text
}

function afterEnd(piece: string, name: string): string {
  const at = piece.toLowerCase().indexOf(`</${name}`)
  return at < 0 ? '' : piece.slice(piece.indexOf('>', at) + 1)
}

function decode(whole: string, name: string): string {
  if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()] ?? whole
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
}
