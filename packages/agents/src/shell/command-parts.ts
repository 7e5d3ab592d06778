import { forEachChild, parse, type Assignment, type Command, type Redirection, type SyntaxNode } from 'unbash'

export interface CommandWord {
  /** As written. */
  text: string
  /** Without quotes. */
  plain: string
  /** It, or a piece of it, is only known when the command runs. */
  expands: boolean
}

/** One simple command of a script. */
export interface CommandPart {
  /** All of it: assignments, words, redirections. */
  text: string
  /** Name and arguments as written, one space between. */
  words: string
  /** Name and arguments. */
  command: CommandWord[]
  /** It sets variables for itself, or does nothing else. */
  assigns: boolean
  /** It redirects into a file. */
  writes: boolean
}

/** The simple commands anywhere in a script, or why they cannot be known. */
export type CommandParts = { parts: CommandPart[] } | { unreadable: string }

/**
 * What bash and a plain `sh` read differently: a command hidden from one of them could be one for the other.
 */
const BASH_ONLY = new Set<string>([
  'ArithmeticCommand',
  'ArithmeticFor',
  'TestCommand',
  'Coproc',
  'Select',
  'AnsiCQuoted',
  'ArrayValue',
  'ExtendedGlob',
  'HereString',
  'ProcessSubstitution',
])
/** What the shell puts something else in place of. */
const EXPANSIONS = new Set<string>([
  'SimpleExpansion',
  'ParameterExpansion',
  'CommandExpansion',
  'ArithmeticExpansion',
  'BraceExpansion',
  'LocaleString',
  'Glob',
])
const LONGEST = 100_000

/** Splits a script on its syntax tree, substitutions and function bodies included. */
export function splitCommand(script: string): CommandParts {
  if (script.length > LONGEST) return { unreadable: `it is longer than ${LONGEST} characters` }
  const tree = parse(script)
  const error = tree.errors?.[0]
  if (error) return { unreadable: `${error.message} at character ${error.pos + 1}` }
  const parts: CommandPart[] = []
  let bashOnly: string | undefined

  function visit(node: SyntaxNode): void {
    if (isBashOnly(node)) bashOnly ??= node.type
    if (node.type === 'Command') parts.push(partOf(node))
    if (node.type === 'Redirected') parts.push(redirectionPart(node.redirects))
    forEachChild(node, visit)
  }

  visit(tree)
  if (bashOnly) return { unreadable: `it uses syntax that only bash has (${bashOnly})` }
  return parts.length > 0 ? { parts } : { unreadable: 'it contains no command' }
}

function isBashOnly(node: SyntaxNode): boolean {
  if (node.type === 'Redirect') return node.operator.startsWith('&>')
  if (node.type === 'ArithmeticExpansion') return node.text.startsWith('$[')
  return BASH_ONLY.has(node.type)
}

function partOf(command: Command): CommandPart {
  const words = command.name ? [command.name, ...command.args] : []
  const texts = words.map(word => word.text)
  const all = [...command.prefix.map(textOf), ...texts, ...command.suffix.filter(isRedirection).map(textOf)]
  return {
    text: all.join(' '),
    words: texts.join(' '),
    command: words.map(word => ({
      text: word.text,
      plain: word.type === 'Word' ? word.value : word.text,
      expands: expands(word),
    })),
    assigns: command.prefix.some(item => item.type === 'Assignment') || !command.name,
    writes: command.redirects.some(writesFile),
  }
}

function expands(node: SyntaxNode): boolean {
  if (EXPANSIONS.has(node.type)) return true
  let found = false
  forEachChild(node, child => {
    found ||= expands(child)
  })
  return found
}

/** Redirections around a group: a command of their own, allowed only by name. */
function redirectionPart(redirects: readonly Redirection[]): CommandPart {
  const text = redirects.map(textOf).join(' ')
  return {
    text,
    words: text,
    command: [{ text, plain: text, expands: false }],
    assigns: false,
    writes: redirects.some(writesFile),
  }
}

function isRedirection(item: SyntaxNode): item is Redirection {
  return item.type === 'Redirect' || item.type === 'HereDoc' || item.type === 'HereString'
}

function textOf(item: Assignment | Redirection): string {
  if (item.type === 'Assignment') return item.text
  if (item.type !== 'Redirect') return item.operator
  const descriptor = item.descriptor
    ? String('value' in item.descriptor ? item.descriptor.value : item.descriptor.name)
    : ''
  return `${descriptor}${item.operator}${item.target?.text ?? ''}`
}

function writesFile(redirection: Redirection): boolean {
  if (redirection.type !== 'Redirect' || redirection.operator === '<' || redirection.operator === '<&')
    return false
  const target = redirection.target?.text ?? ''
  if (redirection.operator === '>&') return !/^(\d+|-)$/.test(target)
  return target !== '/dev/null'
}
