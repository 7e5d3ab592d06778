const SPACE = /[ \t\r\n]*/y
const TOKEN =
  /[{}[\],:]|"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy

type Expectation = 'value' | 'first-value' | 'key' | 'first-key' | 'colon' | 'separator'

/** Offset of the first thing in a text that JSON does not allow; the engine's messages do not always say it. */
export function jsonErrorOffset(text: string): number {
  const open: ('{' | '[')[] = []
  let expected: Expectation = 'value'
  let offset = text.startsWith('\uFEFF') ? 1 : 0
  for (;;) {
    offset = skip(SPACE, text, offset)
    const end = skip(TOKEN, text, offset)
    const kind = text[offset] ?? ''
    if (
      end === offset ||
      (expected === 'separator' && open.length === 0) ||
      !accepts(expected, kind, open.at(-1))
    ) {
      return offset
    }
    if (kind === '{' || kind === '[') open.push(kind)
    if (kind === '}' || kind === ']') open.pop()
    expected = next(expected, kind, open.at(-1))
    offset = end
  }
}

function accepts(expected: Expectation, kind: string, inside: string | undefined): boolean {
  const closes = kind === (inside === '{' ? '}' : ']')
  switch (expected) {
    case 'value':
      return !'}],:'.includes(kind)
    case 'first-value':
      return closes || !'}],:'.includes(kind)
    case 'key':
      return kind === '"'
    case 'first-key':
      return closes || kind === '"'
    case 'colon':
      return kind === ':'
    case 'separator':
      return closes || kind === ','
  }
}

function next(expected: Expectation, kind: string, inside: string | undefined): Expectation {
  if (kind === '{') return 'first-key'
  if (kind === '[') return 'first-value'
  if (kind === ':') return 'value'
  if (kind === ',') return inside === '{' ? 'key' : 'value'
  return kind === '"' && (expected === 'key' || expected === 'first-key') ? 'colon' : 'separator'
}

function skip(pattern: RegExp, text: string, offset: number): number {
  pattern.lastIndex = offset
  return pattern.test(text) ? pattern.lastIndex : offset
}
