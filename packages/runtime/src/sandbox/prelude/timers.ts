import type { Realm } from './types.ts'

export interface Timers {
  setTimeout(this: void, callback?: unknown, delay?: unknown, ...args: unknown[]): number
  clearTimeout(this: void, id?: unknown): void
  queueMicrotask(this: void, callback?: unknown): void
}

/** Runs in the engine. Timers fire when the host says so; what a callback throws fails the script. */
export function createTimers(realm: Realm): Timers {
  const { p, hub, pathText } = realm
  const MAX_DELAY_MS = 2_147_483_647
  const running = p.newMap<number, true>()
  const NativeTypeError = p.errorTypes['TypeError'] as ErrorConstructor

  function call(callback: unknown, args: readonly unknown[]): void {
    if (realm.ended()) return
    try {
      p.apply(callback, undefined, args)
    } catch (error) {
      realm.fail(error)
    }
  }

  return {
    setTimeout: (callback, delay, ...args) => {
      if (typeof callback !== 'function') throw new NativeTypeError('setTimeout() needs a function first.')
      const id = hub.nextId()
      if (realm.ended()) return id
      const wanted = p.toNumber(delay)
      const delayMs = wanted >= 1 ? (wanted > MAX_DELAY_MS ? MAX_DELAY_MS : wanted - (wanted % 1)) : 0
      p.mapSet(running, id, true)
      hub.expect(id, () => {
        p.mapDelete(running, id)
        call(callback, args)
      })
      hub.emit('{"type":"timer","id":' + id + ',"path":' + pathText + ',"delayMs":' + delayMs + '}')
      return id
    },
    clearTimeout: id => {
      if (typeof id !== 'number' || !p.mapDelete(running, id)) return
      hub.forget(id)
      hub.emit('{"type":"timer-cleared","id":' + id + ',"path":' + pathText + '}')
    },
    queueMicrotask: callback => {
      if (typeof callback !== 'function') throw new NativeTypeError('queueMicrotask() needs a function.')
      p.then(p.resolved(), () => {
        call(callback, [])
      })
    },
  }
}
