const OPENING = /^<(?:>|[A-Za-z][\w.:-]*(?:\s[^<>]*)?\/?>)/
const CLOSING = /<\/[A-Za-z>]|\/>/

/** Says that the parse stopped at JSX, if a tag begins there and one ends later. */
export function jsxAt(text: string, offset: number): string | undefined {
  const rest = text.slice(offset)
  if (!OPENING.test(rest) || !CLOSING.test(rest)) return undefined
  return 'JSX is not part of the language: build texts with template literals'
}
