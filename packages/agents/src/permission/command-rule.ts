import { WorkflowInputError } from '@tutti/runtime'

/** A permission rule about commands. */
export interface CommandRule {
  /** As it was written. */
  text: string
  /** Matches every command, whatever it consists of. */
  bare: boolean
  matches(command: string): boolean
}

/**
 * Reads `Bash`, `Bash(exact)`, `Bash(prefix:*)` and `Bash(with * inside)`; rules about other tools give
 * undefined. Throws WorkflowInputError `settings-invalid` for a rule about commands that is not closed.
 */
export function parseCommandRule(rule: string): CommandRule | undefined {
  const text = rule.trim()
  if (text === 'Bash') return { text, bare: true, matches: () => true }
  if (!text.startsWith('Bash(')) return undefined
  if (!text.endsWith(')'))
    throw new WorkflowInputError('settings-invalid', `permission rule "${text}" lacks its closing bracket`)
  const specifier = text.slice('Bash('.length, -1).trim()
  if (specifier === '*' || specifier === '' || specifier === ':*')
    return { text, bare: true, matches: () => true }
  if (specifier.endsWith(':*')) return { text, bare: false, matches: prefixMatcher(specifier.slice(0, -2)) }
  return {
    text,
    bare: false,
    matches: specifier.includes('*') ? starMatcher(specifier) : command => command === specifier,
  }
}

/** The prefix ends at the end of a word. */
function prefixMatcher(prefix: string): (command: string) => boolean {
  return command => command === prefix || command.startsWith(`${prefix} `)
}

/** A star stands for any text. A last ` *` may also stand for nothing. Takes linear time per star. */
function starMatcher(pattern: string): (command: string) => boolean {
  if (pattern.endsWith(' *') && pattern.indexOf('*') === pattern.length - 1)
    return prefixMatcher(pattern.slice(0, -2))
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop() ?? ''
  return command => {
    if (!command.startsWith(first)) return false
    let at = first.length
    for (const piece of rest) {
      const found = command.indexOf(piece, at)
      if (found < 0) return false
      at = found + piece.length
    }
    return command.length - last.length >= at && command.endsWith(last)
  }
}
