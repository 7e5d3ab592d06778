import { UsageError } from '../usage-error.ts'
import { arityOf, flagNamed, type SessionFlagName } from './flag-table.ts'

/** A command line taken apart; no value has been looked at. */
export interface ParsedFlags {
  /** What was given to each flag, in order. A flag without a value has `undefined` in its place. */
  given: Map<SessionFlagName, (string | undefined)[]>
  /** Words that belong to no flag. */
  words: string[]
  /** Flags that nobody knows, with their dashes and without their values. */
  unknown: string[]
}

/**
 * Both `--flag value` and `--flag=value`; after `--` everything is a word. A word after an unknown flag is taken as
 * its value, unless it is the only word there is. Throws UsageError for a flag without the value it needs.
 */
export function parseFlags(argv: readonly string[]): ParsedFlags {
  const parsed: ParsedFlags = { given: new Map(), words: [], unknown: [] }
  const doubtful: string[] = []
  for (let at = 0; at < argv.length; at++) {
    const arg = argv[at] ?? ''
    if (arg === '--') {
      parsed.words.push(...argv.slice(at + 1))
      break
    }
    if (!isFlag(arg)) {
      parsed.words.push(arg)
      continue
    }
    const { name, inline } = nameOf(arg)
    if (name === undefined) {
      if (expandShort(arg, parsed)) continue
      parsed.unknown.push(inline === undefined ? arg : arg.slice(0, arg.indexOf('=')))
      const next = argv[at + 1]
      if (inline === undefined && next !== undefined && !isFlag(next)) {
        doubtful.push(next)
        at++
      }
      continue
    }
    if (inline !== undefined) {
      give(parsed, name, inline)
      continue
    }
    const values = valuesAfter(argv, at, name)
    at += values.length
    if (values.length === 0) give(parsed, name, undefined)
    for (const value of values) give(parsed, name, value)
  }
  const last = doubtful.at(-1)
  if (parsed.words.length === 0 && last !== undefined) parsed.words.push(last)
  return parsed
}

/** A lone dash is a word. */
export function isFlag(arg: string): boolean {
  return arg.length > 1 && arg.startsWith('-')
}

/** The flag an argument names, and what stands behind its `=`. */
export function nameOf(arg: string): { name?: SessionFlagName; inline?: string } {
  const long = arg.startsWith('--')
  const body = arg.slice(long ? 2 : 1)
  const equals = body.indexOf('=')
  const word = equals < 0 ? body : body.slice(0, equals)
  const name = (word.length === 1) === !long ? flagNamed(word) : undefined
  return { ...(name !== undefined && { name }), ...(equals >= 0 && { inline: body.slice(equals + 1) }) }
}

function valuesAfter(argv: readonly string[], at: number, name: SessionFlagName): string[] {
  const next = argv[at + 1]
  switch (arityOf(name)) {
    case 'none':
      return []
    case 'optional':
      return next === undefined || isFlag(next) ? [] : [next]
    case 'one':
      // Taken as it is: a prompt may begin with a dash.
      if (next === undefined) throw missing(argv[at] ?? '')
      return [next]
    case 'many': {
      const end = argv.findIndex((arg, index) => index > at && isFlag(arg))
      const values = argv.slice(at + 1, end < 0 ? undefined : end)
      if (values.length === 0) throw missing(argv[at] ?? '')
      return values
    }
  }
}

/** `-pc` is `-p -c`. False when it is something else. */
function expandShort(arg: string, parsed: ParsedFlags): boolean {
  if (!/^-[a-z]{2,}$/i.test(arg)) return false
  const names = Array.from(arg.slice(1), flagNamed)
  if (!names.every(name => name !== undefined && arityOf(name) === 'none')) return false
  for (const name of names) if (name !== undefined) give(parsed, name, undefined)
  return true
}

function give({ given }: ParsedFlags, name: SessionFlagName, value: string | undefined): void {
  const values = given.get(name)
  if (values === undefined) given.set(name, [value])
  else values.push(value)
}

function missing(flag: string): UsageError {
  return new UsageError(`${flag} needs a value`, 'See: tutti --help')
}
