import { tokenAt, type ScriptTokens } from './script-tokens.ts'

interface Explanation {
  message: string
  offset: number
}

/** What may be meant by a token that the parser did not expect. */
export function explainToken(tokens: ScriptTokens, text: string, offset: number): Explanation {
  const at = tokenAt(tokens, offset)
  if (at === -1) return explainEnd(tokens, text, offset)
  const { list, mismatch, enclosing } = tokens
  const token = list[at]
  if (token === undefined) return { message: 'unexpected end', offset }
  const shown = token.text.length > MAX_SHOWN ? `${token.text.slice(0, MAX_SHOWN)}…` : token.text
  if (mismatch?.at === at) {
    return { message: `unexpected \`${shown}\`: ${explainMismatch(tokens, text)}`, offset }
  }
  const open = enclosing[at]
  const bracket = open === undefined ? undefined : list[open]
  const before = list[at - 1]
  if (before !== undefined && endsValue(before.kind) && startsValue(token.kind) && bracket !== undefined) {
    const wanted =
      bracket.kind === '(' ? '`,` or `)`' : bracket.kind === '[' ? '`,` or `]`' : separators(bracket.kind)
    return { message: `unexpected \`${shown}\`: ${wanted} is missing before it`, offset }
  }
  const beforeBracket = open === undefined ? undefined : list[open - 1]
  if (token.kind === ':' && bracket?.kind === '(' && beforeBracket?.kind === 'name') {
    return { message: 'unexpected `:`: arguments have no names; pass an object: `{ name: value }`', offset }
  }
  if (token.kind === ':' && bracket?.kind === '{' && beforeBracket?.kind === '=>') {
    return { message: 'unexpected `:`: to return an object from an arrow function, write `({ … })`', offset }
  }
  if (CLOSERS.has(token.kind) && before !== undefined && !endsValue(before.kind)) {
    return { message: `unexpected \`${shown}\`: a value is missing after \`${before.text}\``, offset }
  }
  return { message: `unexpected \`${shown}\``, offset }
}

const MAX_SHOWN = 40
const CLOSERS: ReadonlySet<string> = new Set([')', ']', '}', ',', ';'])

function separators(kind: string): string {
  return kind === '${' ? '`}`' : 'a `,`, an operator or the end of the statement'
}

function explainEnd({ list, unclosed }: ScriptTokens, text: string, offset: number): Explanation {
  const opener = list[unclosed.at(-1) ?? -1]
  if (opener === undefined || offset < text.trimEnd().length) {
    return { message: 'the script ends in the middle of a statement', offset }
  }
  return {
    message: `the script ends, but \`${opener.text}\` of line ${lineOf(text, opener.start)} is not closed`,
    offset,
  }
}

function explainMismatch({ list, mismatch }: ScriptTokens, text: string): string {
  const opener = list[mismatch?.open ?? -1]
  if (opener === undefined) return 'nothing is open that it could close'
  return `\`${opener.text}\` of line ${lineOf(text, opener.start)} must be closed first`
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split(/\r\n?|[\n\u2028\u2029]/).length
}

function endsValue(kind: string): boolean {
  return /^(?:name|string|num|template|regexp|[)\]}`]|this|null|true|false)$/.test(kind)
}

function startsValue(kind: string): boolean {
  return /^(?:name|string|num|regexp|[[{`]|this|null|true|false|function|class|new|typeof)$/.test(kind)
}
