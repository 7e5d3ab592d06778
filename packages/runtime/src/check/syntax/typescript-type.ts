import type { ScriptTokens } from './script-tokens.ts'

const OPERATORS: ReadonlySet<string> = new Set([
  'keyof',
  'readonly',
  'unique',
  'infer',
  'asserts',
  'typeof',
  'new',
])
const LITERALS: ReadonlySet<string> = new Set([
  'name',
  'string',
  'num',
  'null',
  'true',
  'false',
  'void',
  'this',
])

/** Deeper than any type that a person writes. */
const MAX_DEPTH = 100

/** Index after the type that begins at a token; undefined when there is no type. */
export function typeEnd(tokens: ScriptTokens, at: number, depth = 0): number | undefined {
  if (depth > MAX_DEPTH) return undefined
  const { list } = tokens
  let index: number | undefined = list[at]?.kind === '|' || list[at]?.kind === '&' ? at + 1 : at
  index = operandEnd(tokens, index, depth + 1)
  while (index !== undefined && (list[index]?.kind === '|' || list[index]?.kind === '&')) {
    index = operandEnd(tokens, index + 1, depth + 1)
  }
  if (index !== undefined && list[index]?.text === 'is') return typeEnd(tokens, index + 1, depth + 1)
  return index
}

/** Index after `<…>`, a list of type arguments or parameters. */
export function typeListEnd(tokens: ScriptTokens, at: number, depth = 0): number | undefined {
  const { list } = tokens
  if (list[at]?.kind !== '<') return undefined
  let index = at + 1
  for (;;) {
    if (list[index]?.kind === 'const' && list[index + 1]?.kind === 'name') index++
    let end = typeEnd(tokens, index, depth + 1)
    for (const joint of ['extends', '=']) {
      if (end !== undefined && list[end]?.kind === joint) end = typeEnd(tokens, end + 1, depth + 1)
    }
    if (end === undefined) return undefined
    const comma = list[end]?.kind === ','
    index = comma ? end + 1 : end
    if (list[index]?.kind === '>') return index + 1
    if (!comma) return undefined
  }
}

function operandEnd(tokens: ScriptTokens, at: number, depth: number): number | undefined {
  if (depth > MAX_DEPTH) return undefined
  const { list } = tokens
  const next = list[at + 1]
  if (OPERATORS.has(list[at]?.text ?? '') && next !== undefined && startsOperand(next.kind)) {
    return operandEnd(tokens, at + 1, depth + 1)
  }
  let index = primaryEnd(tokens, at, depth)
  while (index !== undefined && list[index]?.kind === '[' && list[index]?.start === list[index - 1]?.end) {
    index = after(tokens, index)
  }
  return index
}

function primaryEnd(tokens: ScriptTokens, at: number, depth: number): number | undefined {
  const { list } = tokens
  const kind = list[at]?.kind ?? ''
  if (kind === '-' && list[at + 1]?.kind === 'num') return at + 2
  if (LITERALS.has(kind)) {
    let index = at + 1
    while (list[index]?.kind === '.' && list[index + 1]?.kind === 'name') index += 2
    return (kind === 'name' ? typeListEnd(tokens, index, depth + 1) : undefined) ?? index
  }
  if (kind === '`') {
    const end = list.findIndex((token, index) => index > at && token.kind === '`')
    return end === -1 ? undefined : end + 1
  }
  if (kind !== '{' && kind !== '[' && kind !== '(') return undefined
  const end = after(tokens, at)
  if (end === undefined || kind !== '(') return end
  if (list[end]?.kind === '=>') return typeEnd(tokens, end + 1, depth + 1)
  return typeEnd(tokens, at + 1, depth + 1) === end - 1 ? end : undefined
}

function startsOperand(kind: string): boolean {
  return LITERALS.has(kind) || ['{', '[', '(', '`', 'typeof', 'new'].includes(kind)
}

function after(tokens: ScriptTokens, open: number): number | undefined {
  const close = tokens.partner.get(open)
  return close === undefined ? undefined : close + 1
}
