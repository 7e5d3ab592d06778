import type { Errors, JsonText, Primordials } from './types.ts'

/**
 * Runs in the engine. What JSON.stringify accepts goes as it makes it; when it refuses, the value is walked,
 * what JSON cannot hold becomes null, and the first such place is named.
 */
export function createJsonText(p: Primordials, errors: Errors): (value: unknown, root: string) => JsonText {
  const MAX_DEPTH = 200
  const builtIn = [p.getPrototypeOf({}), p.getPrototypeOf([])]

  function toJson(value: unknown, root: string): JsonText {
    const patched = isPatched()
    try {
      const text = patched && typeof value === 'object' ? undefined : p.stringify(value)
      if (text !== undefined) return { text }
      if (value === undefined) return {}
      if (!patched || typeof value !== 'object') return { text: 'null', problem: unfit(value, root) }
    } catch (error) {
      if (errors.isOutOfMemory(error)) throw error
    }
    const { kept, problem } = salvage(value, root)
    const text = p.stringify(kept)
    if (patched && problem === undefined) {
      return text === undefined ? { text: 'null', problem: unfit(value, root) } : { text }
    }
    return { text: text ?? 'null', problem: problem ?? root + ' is not JSON' }
  }

  /** A script put a `toJSON` on what all objects or arrays inherit from: nothing that it says is followed. */
  function isPatched(): boolean {
    return p.hasOwn(builtIn[0] as object, 'toJSON') || p.hasOwn(builtIn[1] as object, 'toJSON')
  }

  function unfit(value: unknown, root: string): string {
    return root + ' is ' + kindOf(value) + ', which JSON cannot hold'
  }

  /** A copy that JSON.stringify cannot refuse, and what was lost on the way. */
  function salvage(whole: unknown, root: string): { kept: unknown; problem: string | undefined } {
    const parents = p.bareList<unknown>()
    let problem: string | undefined
    let more = 0

    function keep(given: unknown, key: string, path: string): unknown {
      const depth = parents.length
      try {
        const value = given !== null && typeof given === 'object' ? afterToJson(given, key) : given
        if (typeof value === 'bigint') return drop(path + ' is a BigInt, which JSON cannot hold')
        if (value === null || typeof value !== 'object') return value
        for (let i = 0; i < depth; i++) {
          if (parents[i] === value) return drop(path + ' refers back to one of its parents')
        }
        if (depth >= MAX_DEPTH) return drop(path + ' is nested too deeply')
        parents[depth] = value
        return p.isArray(value) ? keepArray(value, path) : keepObject(value, path)
      } catch (error) {
        if (errors.isOutOfMemory(error)) throw error
        return drop(path + ' could not be read: ' + errors.brief(error))
      } finally {
        parents.length = depth
      }
    }

    function keepArray(list: unknown[], path: string): unknown[] {
      const copy = p.bareList<unknown>()
      for (let i = 0; i < list.length; i++) copy[i] = keepMember(list, '' + i, path + '[' + i + ']')
      return copy
    }

    function keepObject(value: object, path: string): object {
      const copy = p.setPrototypeOf({}, null)
      const names = p.keys(value)
      for (let i = 0; i < names.length; i++) {
        const name = names[i] as string
        const step = isIdentifier(name) ? '.' + name : '[' + p.stringify(name) + ']'
        p.put(copy, name, keepMember(value, name, path + step))
      }
      return copy
    }

    function keepMember(holder: object, key: string, path: string): unknown {
      let member: unknown
      try {
        member = (holder as Record<string, unknown>)[key]
      } catch (error) {
        return drop(path + ' could not be read: ' + errors.brief(error))
      }
      return keep(member, key, path)
    }

    function drop(what: string): null {
      if (problem === undefined) problem = what
      else more++
      return null
    }

    const kept = keep(whole, '', root)
    return { kept, problem: more === 0 ? problem : problem + ' (and ' + more + ' more)' }
  }

  function afterToJson(value: object, key: string): unknown {
    if (isPatched() && !hasOwnToJson(value)) return value
    const convert = (value as { toJSON?: unknown }).toJSON
    return typeof convert === 'function' ? p.apply(convert, value, [key]) : value
  }

  /** Itself or through a class of the script. */
  function hasOwnToJson(value: object): boolean {
    let holder: object | null = value
    while (holder !== null && holder !== builtIn[0] && holder !== builtIn[1]) {
      if (p.hasOwn(holder, 'toJSON')) return true
      holder = p.getPrototypeOf(holder)
    }
    return false
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
