import { UsageError } from '../usage-error.ts'

/** A switch that is given without a value, or with `=true` or `=false`. */
export function isOn(name: string, value: string | undefined): boolean {
  return value === undefined || choice(value, name, ['true', 'false']) === 'true'
}

/** One of the words that a flag knows. */
export function choice<Word extends string>(
  text: string | undefined,
  name: string,
  words: readonly Word[],
): Word | undefined {
  if (text === undefined) return undefined
  const found = words.find(word => word === text)
  if (found !== undefined) return found
  throw new UsageError(`${name} must be one of ${words.join(', ')}, not "${text.slice(0, MAX_SHOWN)}"`)
}

/** A value that is empty counts as not given. */
export function filled(text: string | undefined): string | undefined {
  return text === '' ? undefined : text
}

/** What `read` makes of a value that was given. */
export function given<T>(text: string | undefined, read: (text: string) => T): T | undefined {
  return text === undefined ? undefined : read(text)
}

const MAX_SHOWN = 80
