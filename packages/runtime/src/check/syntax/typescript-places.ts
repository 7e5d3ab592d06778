import type { ScriptToken, ScriptTokens } from './script-tokens.ts'
import { typeEnd } from './typescript-type.ts'

/**
 * True when the binding that ends before `end` is a parameter of a function, an arrow, a method or a catch
 * clause. `first` is the index of the first token of the binding, if the caller knows it.
 */
export function isParameter(tokens: ScriptTokens, end: number, first?: number): boolean {
  const { list, partner, enclosing } = tokens
  const last = list[end - 1]?.kind === '?' ? end - 2 : end - 1
  const start = first ?? partner.get(last) ?? last
  if (first === undefined && start === last && list[last]?.kind !== 'name' && list[last]?.kind !== 'this')
    return false
  const before = list[start - 1]?.kind
  if (before !== '(' && before !== ',' && before !== '...') return false
  const open = enclosing[start]
  if (open === undefined || list[open]?.kind !== '(') return false
  const close = partner.get(open)
  return close !== undefined && isParameterList(tokens, open, close)
}

/** True when the parenthesis that closes here ends the parameters of a function or method. */
export function parameterListBefore(tokens: ScriptTokens, close: number): boolean {
  const open = tokens.partner.get(close)
  return open !== undefined && isFunctionHead(tokens, open)
}

function isParameterList(tokens: ScriptTokens, open: number, close: number): boolean {
  const { list } = tokens
  const next = list[close + 1]?.kind
  const end = next === ':' ? typeEnd(tokens, close + 2) : close + 1
  if (end === undefined) return false
  return list[end]?.kind === '=>' || (list[end]?.kind === '{' && isFunctionHead(tokens, open))
}

/** `function (`, `function name(`, `catch (`, or the name of a method before the parenthesis. */
function isFunctionHead(tokens: ScriptTokens, open: number): boolean {
  const { list, enclosing } = tokens
  const [before, earlier] = [list[open - 1]?.kind ?? '', list[open - 2]?.kind ?? '']
  if (before === 'function' || before === '*' || before === 'catch') return true
  if (before !== 'name') return false
  if (earlier === 'function' || earlier === '*' || isClassBody(tokens, open)) return true
  const isMember = earlier === '{' || earlier === ',' || earlier === 'name'
  return isMember && list[enclosing[open] ?? -1]?.kind === '{'
}

/** The keyword that declares the variable whose binding ends before a colon. */
export function declaratorOf(tokens: ScriptTokens, colon: number): string | undefined {
  const { list, partner, enclosing } = tokens
  const last = list[colon - 1]?.kind === '!' ? colon - 2 : colon - 1
  const first = partner.get(last) ?? last
  if (first === last && list[last]?.kind !== 'name') return undefined
  const keyword = declarator(list[first - 1])
  if (keyword !== undefined || list[first - 1]?.kind !== ',') return keyword
  for (let index = first - 2; index >= 0; index = (partner.get(index) ?? index) - 1) {
    if (list[index]?.kind === ';' || index === enclosing[first]) return undefined
    const found = declarator(list[index])
    if (found !== undefined) return found
  }
  return undefined
}

function declarator(token: ScriptToken | undefined): string | undefined {
  return ['const', 'let', 'var'].find(keyword => token?.text === keyword)
}

/** True when the colon follows the name of a class field. */
export function isField(tokens: ScriptTokens, colon: number): boolean {
  const last = tokens.list[colon - 1]?.kind
  return (last === 'name' || last === '?' || last === 'privateId') && isClassBody(tokens, colon)
}

/** True for a token directly within the braces of a class. */
export function isClassBody({ list, enclosing }: ScriptTokens, index: number): boolean {
  const open = enclosing[index]
  if (open === undefined || list[open]?.kind !== '{') return false
  for (let i = open - 1; i >= Math.max(0, open - 12); i--) {
    if (list[i]?.kind === 'class') return true
    if (list[i]?.kind === '{' || list[i]?.kind === ';') return false
  }
  return false
}
