import { codePointName } from '../code-points.ts'
import type { SyntaxProblem } from '../parse-script.ts'
import type { Problem } from '../problem.ts'
import { explainToken } from './explain-token.ts'
import { jsxAt } from './jsx-syntax.ts'
import { scriptTokens } from './script-tokens.ts'
import { typescriptAt } from './typescript-syntax.ts'

const FENCE = /^[ \t]*(?:`{3,}|~{3,})/

/** A Markdown fence around a script is valid JavaScript (tagged templates), so it is looked for first. */
export function findFence(text: string): Problem | undefined {
  const fence = new RegExp(`^\\s*${FENCE.source.slice(1)}`).exec(text)
  return fence ? syntaxError(WRAPPED, fence[0].search(/[`~]/)) : undefined
}

const WRAPPED = 'the script is wrapped in a Markdown code fence: pass only what is inside'

/** Says what is wrong and what to do, where the parser only says where it stopped. */
export function explainSyntax(text: string, { offset, message }: SyntaxProblem): Problem {
  const hint = HINTS.find(([pattern]) => pattern.test(message))
  if (hint) return syntaxError(hint[1](message), offset)
  const tokens = scriptTokens(text)
  const typescript = typescriptAt(tokens, offset)
  if (typescript !== undefined) {
    const advice = `TypeScript syntax (${typescript.name}): a script is plain JavaScript; remove the types`
    return { rule: 'typescript', severity: 'error', message: advice, offset: typescript.offset }
  }
  const fence = laterFence(text, offset)
  if (fence !== undefined) return fence
  const jsx = jsxAt(text, offset)
  if (jsx !== undefined) return syntaxError(jsx, offset)
  const character = /^Unexpected character '(.+)'$/su.exec(message)?.[1]
  if (character !== undefined) return syntaxError(explainCharacter(character), offset)
  if (message === UNTERMINATED)
    return syntaxError('the template literal is never closed: write ` at its end', offset)
  if (message !== UNEXPECTED) return syntaxError(message, offset)
  const explained = explainToken(tokens, text, offset)
  return syntaxError(explained.message, explained.offset)
}

const UNEXPECTED = 'Unexpected token'
const UNTERMINATED = 'Unterminated template'

const HINTS: [RegExp, (message: string) => string][] = [
  [
    /'await' outside an async/,
    () => '`await` needs an async function: write `async` before the function around it',
  ],
  [/already been declared/, message => `${message}: give one of the two another name`],
  [
    /^Unterminated string/,
    () => 'the string does not end on its line: close it, or use a template literal for several lines',
  ],
  [/^Unterminated comment/, () => 'the comment is never closed: write */'],
  [/^Unterminated regular/, () => 'the regular expression is never closed: write / at its end'],
]

function laterFence(text: string, offset: number): Problem | undefined {
  const fence = new RegExp(FENCE, 'm').exec(text)
  if (!fence) return undefined
  const start = fence.index + fence[0].search(/[`~]/)
  if (text.indexOf('export const meta') > start) return syntaxError(WRAPPED, Math.min(offset, start))
  const message =
    'a line begins with a code fence: remove it if it is around the script; write \\`\\`\\` if it is inside a template literal'
  return syntaxError(message, start)
}

const QUOTES = '“”„‘’‚«»'

function explainCharacter(character: string): string {
  if (QUOTES.includes(character)) return `typographic quote ${character}: write ' or "`
  if (character === '@') return 'decorators are not part of the language'
  return `unexpected character ${character} (${codePointName(character)})`
}

function syntaxError(message: string, offset: number): Problem {
  return { rule: 'syntax', severity: 'error', message, offset }
}
