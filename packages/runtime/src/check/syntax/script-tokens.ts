import { tokenizer } from 'acorn'

export interface ScriptToken {
  /** `name`, `string`, `num`, `template`, a keyword, or the punctuation itself. */
  kind: string
  text: string
  start: number
  end: number
  /** There is a line end between this token and the one before. */
  startsLine: boolean
}

export interface ScriptTokens {
  list: ScriptToken[]
  /** Index of the other half of each bracket. */
  partner: ReadonlyMap<number, number>
  /** Index of the innermost bracket open before each token. */
  enclosing: readonly (number | undefined)[]
  /** Brackets that are still open at the end, outermost first. */
  unclosed: number[]
  /** The first closing bracket without its half, and the bracket it met. */
  mismatch?: { at: number; open: number | undefined }
}

const PAIRS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '${': '}' }
const CLOSERS: ReadonlySet<string> = new Set([')', ']', '}'])

/** The tokens of a text that does not parse, as far as they can be told apart. */
export function scriptTokens(text: string): ScriptTokens {
  const list = readTokens(text)
  const partner = new Map<number, number>()
  const enclosing: (number | undefined)[] = []
  const open: number[] = []
  let mismatch: ScriptTokens['mismatch']
  for (const [index, { kind }] of list.entries()) {
    enclosing.push(open.at(-1))
    if (PAIRS[kind] !== undefined) open.push(index)
    if (!CLOSERS.has(kind)) continue
    const opener = open.at(-1)
    if (opener !== undefined && PAIRS[list[opener]?.kind ?? ''] === kind) {
      open.pop()
      partner.set(opener, index).set(index, opener)
    } else {
      mismatch ??= { at: index, open: opener }
    }
  }
  return { list, partner, enclosing, unclosed: open, ...(mismatch && { mismatch }) }
}

/** Index of the token that begins at an offset. */
export function tokenAt({ list }: ScriptTokens, offset: number): number {
  return list.findIndex(({ start }) => start === offset)
}

function readTokens(text: string): ScriptToken[] {
  const list: ScriptToken[] = []
  let previous = 0
  try {
    for (const { type, start, end } of tokenizer(text, { ecmaVersion: 2025, sourceType: 'module' })) {
      const piece = text.slice(start, end)
      const startsLine = /[\n\r\u2028\u2029]/.test(text.slice(previous, start))
      previous = end
      const kind = type.keyword ?? (NAMED.has(type.label) ? type.label : piece)
      // `>>` closes two lists of type arguments.
      if (/^>{2,}$/.test(piece)) {
        for (let i = start; i < end; i++)
          list.push({ kind: '>', text: '>', start: i, end: i + 1, startsLine: startsLine && i === start })
      } else {
        list.push({ kind, text: piece, start, end, startsLine })
      }
    }
  } catch {
    // What comes after the first character that is no token is not needed.
  }
  return list
}

const NAMED: ReadonlySet<string> = new Set([
  'name',
  'string',
  'num',
  'template',
  'regexp',
  'privateId',
  'invalidTemplate',
])
