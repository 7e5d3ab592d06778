import { isFlag, nameOf } from './parse-flags.ts'

/** Flags that other commands have as well, or that ask for no session. */
const NEUTRAL = new Set<string | undefined>(['color', 'no-color', 'help', 'version'])

/**
 * Whether a command line is a session: it begins with a flag of sessions. What begins with a word is one only with
 * `-p`, and when no command could be meant: a mistyped command must not become a prompt.
 */
export function startsSession(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  const given = (end < 0 ? argv : argv.slice(0, end)).filter(
    arg => !isFlag(arg) || !NEUTRAL.has(nameOf(arg).name),
  )
  const [first] = given
  if (first === undefined) return false
  const names = given.filter(isFlag).map(arg => nameOf(arg).name)
  if (isFlag(first)) return names.some(name => name !== undefined)
  return /\s/.test(first) && names.includes('print')
}
