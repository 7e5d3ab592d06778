/** Looks at one value; adds to `errors` what is wrong with it. */
export type Check = (value: unknown, at: Place) => void

/** Where a value stands in its document, and where complaints go. */
export interface Place {
  path: string
  errors: string[]
}

export const text: Check = expected('a string', value => typeof value === 'string')
export const flag: Check = expected('true or false', value => typeof value === 'boolean')
export const yes: Check = expected('true', value => value === true)
export const count: Check = expected('a number from 0', value => typeof value === 'number' && value >= 0)
export const anything: Check = () => {}

export function oneOf(...words: string[]): Check {
  return expected(`one of ${words.join(', ')}`, value => words.includes(value as string))
}

export function listOf(item: Check): Check {
  return (value, at) => {
    if (!Array.isArray(value)) return complain(at, 'a list is expected')
    for (const [index, entry] of value.entries()) item(entry, below(at, `[${index}]`))
  }
}

export function mapOf(item: Check): Check {
  return (value, at) => {
    if (!isObject(value)) return complain(at, 'an object is expected')
    for (const [key, entry] of Object.entries(value)) item(entry, below(at, `.${key}`))
  }
}

/** An object with these fields and no other; the required ones must be there. */
export function shape(fields: Record<string, Check>, required: string[] = []): Check {
  return (value, at) => {
    if (!isObject(value)) return complain(at, 'an object is expected')
    for (const [key, entry] of Object.entries(value)) {
      const check = Object.hasOwn(fields, key) ? fields[key] : undefined
      if (check) check(entry, below(at, `.${key}`))
      else complain(below(at, `.${key}`), `unknown field; known are ${Object.keys(fields).join(', ')}`)
    }
    for (const key of required) if (!Object.hasOwn(value, key)) complain(at, `\`${key}\` is missing`)
  }
}

/** The first check whose `when` holds decides. */
export function either(...choices: { when: (value: unknown) => boolean; check: Check }[]): Check {
  return (value, at) => {
    const choice = choices.find(({ when }) => when(value))
    if (choice) choice.check(value, at)
    else complain(at, `${JSON.stringify(value)} has none of the expected forms`)
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** True for objects that have the field. */
export function having(field: string): (value: unknown) => boolean {
  return value => isObject(value) && Object.hasOwn(value, field)
}

export function complain(at: Place, message: string): void {
  at.errors.push(`${at.path || 'the case'}: ${message}`)
}

export function below(at: Place, step: string): Place {
  return { path: at.path + step, errors: at.errors }
}

function expected(what: string, holds: (value: unknown) => boolean): Check {
  return (value, at) => {
    if (!holds(value)) complain(at, `${what} is expected, not ${JSON.stringify(value)}`)
  }
}
