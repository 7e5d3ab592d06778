import type { Errors, JsonText, Primordials } from './types.ts'

/**
 * Runs in the engine. What JSON.stringify accepts goes as it makes it; when it refuses, the value is walked,
 * what JSON cannot hold becomes null, and the first such place is named.
 */
export function createJsonText(p: Primordials, errors: Errors): (value: unknown, root: string) => JsonText {
  const MAX_DEPTH = 200

  interface Walk {
    problem: string | undefined
    more: number
    ancestors: unknown[]
  }

  function toJson(value: unknown, root: string): JsonText {
    try {
      const text = p.stringify(value)
      if (text !== undefined) return { text }
      if (value === undefined) return {}
      return { text: 'null', problem: root + ' is ' + kindOf(value) + ', which JSON cannot hold' }
    } catch (error) {
      if (errors.isOutOfMemory(error)) throw error
    }
    const walk: Walk = { problem: undefined, more: 0, ancestors: p.bareList() }
    const kept = keep(value, root, '', walk)
    const more = walk.more === 0 ? '' : ' (and ' + walk.more + ' more)'
    return { text: p.stringify(kept) ?? 'null', problem: (walk.problem ?? root + ' is not JSON') + more }
  }

  /** A copy that JSON.stringify cannot refuse. */
  function keep(given: unknown, path: string, key: string, walk: Walk): unknown {
    try {
      const value = given !== null && typeof given === 'object' ? afterToJson(given, key) : given
      if (typeof value === 'bigint') return drop(path + ' is a BigInt, which JSON cannot hold', walk)
      if (value === null || typeof value !== 'object') return value
      for (let i = 0; i < walk.ancestors.length; i++) {
        if (walk.ancestors[i] === value) return drop(path + ' refers back to one of its parents', walk)
      }
      if (walk.ancestors.length >= MAX_DEPTH) return drop(path + ' is nested too deeply', walk)
      walk.ancestors[walk.ancestors.length] = value
      const copy = p.isArray(value) ? keepArray(value, path, walk) : keepObject(value, path, walk)
      walk.ancestors.length--
      return copy
    } catch (error) {
      if (errors.isOutOfMemory(error)) throw error
      return drop(path + ' could not be read: ' + errors.brief(error), walk)
    }
  }

  function keepArray(list: unknown[], path: string, walk: Walk): unknown[] {
    const copy = p.bareList<unknown>()
    const depth = walk.ancestors.length
    for (let i = 0; i < list.length; i++) {
      copy[i] = keepMember(list, i, path + '[' + i + ']', walk)
      walk.ancestors.length = depth
    }
    return copy
  }

  function keepObject(value: object, path: string, walk: Walk): object {
    const copy = p.setPrototypeOf({}, null)
    const names = p.keys(value)
    const depth = walk.ancestors.length
    for (let i = 0; i < names.length; i++) {
      const name = names[i] as string
      const plain = isIdentifier(name)
      p.put(copy, name, keepMember(value, name, plain ? path + '.' + name : path + '[' + p.stringify(name) + ']', walk))
      walk.ancestors.length = depth
    }
    return copy
  }

  function keepMember(holder: object, key: string | number, path: string, walk: Walk): unknown {
    let member: unknown
    try {
      member = (holder as Record<string | number, unknown>)[key]
    } catch (error) {
      return drop(path + ' could not be read: ' + errors.brief(error), walk)
    }
    return keep(member, path, '' + key, walk)
  }

  function afterToJson(value: object, key: string): unknown {
    const convert = (value as { toJSON?: unknown }).toJSON
    return typeof convert === 'function' ? p.apply(convert, value, [key]) : value
  }

  function drop(problem: string, walk: Walk): null {
    if (walk.problem === undefined) walk.problem = problem
    else walk.more++
    return null
  }

  function isIdentifier(name: string): boolean {
    if (name === '') return false
    for (let i = 0; i < name.length; i++) {
      const unit = p.charCodeAt(name, i)
      const letter = (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122) || unit === 95 || unit === 36
      if (!letter && (i === 0 || unit < 48 || unit > 57)) return false
    }
    return true
  }

  function kindOf(value: unknown): string {
    if (typeof value === 'function') return 'a function'
    if (typeof value === 'symbol') return 'a symbol'
    return 'an object whose toJSON gives nothing'
  }

  return toJson
}
