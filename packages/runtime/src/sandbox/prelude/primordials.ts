import type { Pending, Primordials } from './types.ts'

/** Runs in the engine. Takes the built-ins while they are still as the engine made them. */
export function capturePrimordials(): Primordials {
  type Method = (this: never, ...args: never[]) => unknown
  const uncurry = Function.prototype.bind.bind(Function.prototype.call) as (
    method: Method,
  ) => (self: unknown, ...args: unknown[]) => unknown
  const { apply, construct, defineProperty, getPrototypeOf, setPrototypeOf } = Reflect
  const { freeze, keys, hasOwn } = Object
  const { isArray } = Array
  const { stringify, parse } = JSON
  const { isFinite } = Number
  const NativePromise = Promise
  const NativeError = Error
  const NativeDate = Date
  const NativeMap = Map
  const NativeWeakMap = WeakMap
  const NativeString = String
  const NativeNumber = Number
  const { eval: evaluate } = globalThis
  const then = uncurry(Promise.prototype.then)
  const resolve = uncurry(Promise.resolve)
  const nextValue = uncurry((Object.getPrototypeOf(new Map().values()) as { next: Method }).next)
  const mapValues = uncurry(Map.prototype.values)
  const set = uncurry(Map.prototype.set)
  const weakSet = uncurry(WeakMap.prototype.set)

  const describe = (value: unknown, enumerable: boolean): PropertyDescriptor =>
    ({ __proto__: null, value, enumerable, writable: true, configurable: true }) as PropertyDescriptor

  return {
    NativePromise,
    NativeError,
    NativeDate,
    errorTypes: {
      __proto__: null,
      EvalError,
      RangeError,
      ReferenceError,
      SyntaxError,
      TypeError,
      URIError,
    } as unknown as Record<string, ErrorConstructor>,
    evaluate,
    stringify: value => stringify(value),
    parse: text => parse(text) as unknown,
    newPending: () => {
      const pending = { __proto__: null } as unknown as Pending
      pending.promise = new NativePromise((onValue, onError) => {
        pending.resolve = onValue
        pending.reject = onError
      })
      return pending
    },
    then: then as Primordials['then'],
    finally: uncurry(Promise.prototype.finally) as Primordials['finally'],
    resolved: () => resolve(NativePromise) as Promise<undefined>,
    apply: apply as Primordials['apply'],
    construct: construct as Primordials['construct'],
    isArray,
    freeze,
    keys,
    hasOwn,
    getPrototypeOf,
    setPrototypeOf: (value, prototype) => {
      setPrototypeOf(value, prototype)
      return value
    },
    defineProperty,
    indexOf: uncurry(String.prototype.indexOf) as Primordials['indexOf'],
    slice: uncurry(String.prototype.slice) as Primordials['slice'],
    charCodeAt: uncurry(String.prototype.charCodeAt) as Primordials['charCodeAt'],
    join: uncurry(Array.prototype.join) as Primordials['join'],
    toText: value => NativeString(value),
    toNumber: value => NativeNumber(value),
    isFinite,
    newMap: () => new NativeMap(),
    mapGet: uncurry(Map.prototype.get) as Primordials['mapGet'],
    mapSet: (map, key, value) => {
      set(map, key, value)
    },
    mapDelete: uncurry(Map.prototype.delete) as Primordials['mapDelete'],
    mapFirst: <K, V>(map: Map<K, V>) => (nextValue(mapValues(map)) as IteratorResult<V, undefined>).value,
    newWeakMap: () => new NativeWeakMap(),
    weakGet: uncurry(WeakMap.prototype.get) as Primordials['weakGet'],
    weakSet: (map, key, value) => {
      weakSet(map, key, value)
    },
    bareList: <T>() => {
      const list: T[] = []
      setPrototypeOf(list, null)
      return list
    },
    put: (target, key, value) => {
      defineProperty(target, key, describe(value, true))
    },
    hide: (target, key, value) => {
      defineProperty(target, key, describe(value, false))
    },
  }
}
