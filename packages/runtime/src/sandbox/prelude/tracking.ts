import type { Primordials, Ticket, Tracking } from './types.ts'

interface Tracked {
  serial: number
  label: string
  place: string | undefined
  handled: boolean
  reason: unknown
}

/**
 * Runs in the engine. Promises of primitives are native ones with a prototype of their own whose
 * `constructor` is not Promise, so `await` and the combinators go through its `then`, which counts as handling.
 * A chain that does not take the rejection is tracked on.
 */
export function createTracking(p: Primordials): Tracking {
  const records = p.newWeakMap<object, Tracked>()
  const unhandled = p.newMap<number, Tracked>()
  let lastSerial = 0

  const prototype: object = p.setPrototypeOf({}, p.NativePromise.prototype)
  p.hide(prototype, 'constructor', undefined)
  p.hide(
    prototype,
    'then',
    {
      then(this: Promise<unknown>, onValue: never, onError: unknown) {
        return follow(this, p.then(this, onValue, onError as never), typeof onError !== 'function')
      },
    }.then,
  )
  p.hide(
    prototype,
    'finally',
    {
      finally(this: Promise<unknown>, action: unknown) {
        return follow(this, p.finally(this, action), true)
      },
    }.finally,
  )
  p.freeze(prototype)

  function follow(parent: Promise<unknown>, child: Promise<unknown>, passesOn: boolean): Promise<unknown> {
    const record = p.weakGet(records, parent)
    if (record === undefined) return child
    record.handled = true
    p.mapDelete(unhandled, record.serial)
    if (!passesOn) return child
    const next = adopt(child, record.label, record.place)
    void p.then(child, undefined, reason => {
      miss(next, reason)
    })
    return child
  }

  function adopt(promise: Promise<unknown>, label: string, place: string | undefined): Tracked {
    const record: Tracked = { serial: ++lastSerial, handled: false, label, place, reason: undefined }
    void p.setPrototypeOf(promise, prototype)
    p.weakSet(records, promise, record)
    return record
  }

  function miss(record: Tracked, reason: unknown): void {
    if (record.handled) return
    record.reason = reason
    p.mapSet(unhandled, record.serial, record)
  }

  return {
    open: (label, place) => {
      const { promise, resolve, reject } = p.newPending()
      const record = adopt(promise, label, place)
      const ticket: Ticket = {
        promise,
        label,
        place,
        resolve,
        reject: reason => {
          reject(reason)
          miss(record, reason)
        },
      }
      return ticket
    },
    release: value => {
      if (typeof value !== 'object' || value === null) return value
      const record = p.weakGet(records, value)
      if (record === undefined) return value
      record.handled = true
      p.mapDelete(unhandled, record.serial)
      return p.setPrototypeOf(value, p.NativePromise.prototype)
    },
    isTracked: value =>
      typeof value === 'object' && value !== null && p.weakGet(records, value) !== undefined,
    firstUnhandled: () => p.mapFirst(unhandled),
  }
}
