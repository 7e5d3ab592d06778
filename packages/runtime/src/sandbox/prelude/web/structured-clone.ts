/** Runs in the engine. `structuredClone` for what a script can hold; `transfer` is refused. */
export function createStructuredClone(): Record<string, unknown> {
  const ERRORS = [EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError]
  const BOXES = ['Boolean', 'Number', 'String', 'BigInt']
  const tag = (value: object): string => Object.prototype.toString.call(value).slice(8, -1)

  function refuse(what: string): never {
    const error = new Error(what + ' could not be cloned.')
    error.name = 'DataCloneError'
    throw error
  }

  function structuredClone(value: unknown, options?: { transfer?: unknown[] }): unknown {
    if ((options?.transfer?.length ?? 0) > 0) refuse('A transferred object')
    const seen = new Map<object, object>()

    function clone(item: unknown): unknown {
      if (typeof item === 'function') refuse('A function')
      if (typeof item === 'symbol') refuse('A symbol')
      if (typeof item !== 'object' || item === null) return item
      const known = seen.get(item)
      if (known !== undefined) return known
      const copy = shell(item)
      seen.set(item, copy)
      fill(item, copy)
      return copy
    }

    /** The empty counterpart of an object. */
    function shell(item: object): object {
      if (Array.isArray(item)) return Array.from({ length: item.length })
      if (item instanceof Map) return new Map()
      if (item instanceof Set) return new Set()
      if (item instanceof Date) return new Date(item.getTime())
      if (item instanceof RegExp) return new RegExp(item.source, item.flags)
      if (item instanceof ArrayBuffer) return item.slice(0)
      if (ArrayBuffer.isView(item)) return cloneView(item)
      if (item instanceof Error) return cloneError(item)
      if (BOXES.includes(tag(item))) return Object(item.valueOf())
      if (item instanceof Promise || item instanceof WeakMap || item instanceof WeakSet)
        refuse('#<' + tag(item) + '>')
      return {}
    }

    function cloneView(view: ArrayBufferView): object {
      const buffer = clone(view.buffer) as ArrayBuffer
      const Type = view.constructor as new (buffer: ArrayBuffer, offset: number, length: number) => object
      const size = 'BYTES_PER_ELEMENT' in view ? (view as Uint8Array).BYTES_PER_ELEMENT : 1
      return new Type(buffer, view.byteOffset, view.byteLength / size)
    }

    function cloneError(error: Error): Error {
      const Type = ERRORS.find(candidate => candidate.name === error.name) ?? Error
      const copy = new Type(error.message)
      if (error.stack !== undefined) copy.stack = error.stack
      if ('cause' in error)
        Object.defineProperty(copy, 'cause', {
          value: clone(error.cause),
          writable: true,
          configurable: true,
        })
      return copy
    }

    function fill(item: object, copy: object): void {
      if (item instanceof Map) {
        for (const [key, member] of item) (copy as Map<unknown, unknown>).set(clone(key), clone(member))
      } else if (item instanceof Set) {
        for (const member of item) (copy as Set<unknown>).add(clone(member))
      } else if (Array.isArray(item) || Object.getPrototypeOf(copy) === Object.prototype) {
        for (const key of Object.keys(item)) {
          const member = clone((item as Record<string, unknown>)[key])
          Object.defineProperty(copy, key, {
            value: member,
            writable: true,
            enumerable: true,
            configurable: true,
          })
        }
      }
    }

    return clone(value)
  }

  return { structuredClone }
}
