import type { Realm, Ticket } from './types.ts'

export interface FanOut {
  parallel(this: void, thunks?: unknown): Promise<unknown>
  pipeline(this: void, items?: unknown, ...stages: unknown[]): Promise<unknown>
}

/** Runs in the engine. Errors of the run pass through; any other error makes its entry null. */
export function createFanOut(realm: Realm): FanOut {
  const { p, hub, errors, tracking, pathText } = realm
  const { TypeError: NativeTypeError, RangeError: NativeRangeError } = p.errorTypes as Record<
    'TypeError' | 'RangeError',
    ErrorConstructor
  >
  const limit = realm.options.entries

  type Work = (index: number) => unknown

  interface Job {
    length: number
    kind: 'thunk' | 'stage'
    work: Work
  }

  /** A promise for all entries; `plan` may throw an error for the caller. */
  function begin(label: string, plan: () => Job): Promise<unknown> {
    const ticket = tracking.open(label, errors.place())
    try {
      startAll(ticket, plan())
    } catch (error) {
      ticket.reject(error)
    }
    return ticket.promise
  }

  /** Starts every entry at once, in order; resolves when all have ended. */
  function startAll(ticket: Ticket, { length, kind, work }: Job): void {
    const results: unknown[] = []
    let left = length
    let failed = false

    async function run(index: number): Promise<void> {
      let value: unknown = null
      try {
        value = await tracking.release(work(index))
      } catch (error) {
        if (errors.isRunLevel(error)) {
          if (!failed) ticket.reject(error)
          failed = true
          return
        }
        emitDropped(kind, index, error)
      }
      p.put(results, index, value)
      if (--left === 0) ticket.resolve(results)
    }

    if (length === 0) ticket.resolve(results)
    for (let i = 0; i < length; i++) void run(i)
  }

  function emitDropped(kind: string, index: number, error: unknown): void {
    const what = ',"kind":"' + kind + '","index":' + index + ',"error":' + errors.toText(error)
    hub.emit('{"type":"dropped","path":' + pathText + what + '}')
  }

  /** A copy of the list, so that what its entries do to the original changes nothing. */
  function copyOf(list: unknown, label: string, what: string): unknown[] {
    if (!p.isArray(list)) {
      throw new NativeTypeError(label + ' needs an array of ' + what + ', not ' + kindOf(list) + '.')
    }
    const { length } = list
    if (length > limit) {
      throw new NativeRangeError(
        label +
          ' takes at most ' +
          limit +
          ' entries, not ' +
          length +
          '. Split the array, or raise the limit "entries".',
      )
    }
    const copy = p.bareList<unknown>()
    for (let i = 0; i < length; i++) copy[i] = list[i]
    return copy
  }

  /** `what` names an entry of the list; `remedy` is for one that is a promise. */
  function requireFunctions(list: unknown[], what: string, remedy: string): void {
    for (let i = 0; i < list.length; i++) {
      const entry = list[i]
      if (typeof entry === 'function') continue
      const begun = isPromise(entry) ? ' Its work has already begun: write ' + remedy + '.' : ''
      throw new NativeTypeError(what + ' ' + i + ' must be a function, but is ' + kindOf(entry) + '.' + begun)
    }
  }

  function isPromise(value: unknown): boolean {
    return tracking.isTracked(value) || value instanceof p.NativePromise
  }

  function kindOf(value: unknown): string {
    if (value === null) return 'null'
    if (p.isArray(value)) return 'an array'
    if (isPromise(value)) return 'a promise'
    if (typeof value === 'undefined') return 'undefined'
    return (typeof value === 'object' ? 'an ' : 'a ') + typeof value
  }

  return {
    parallel: thunks =>
      begin('parallel', () => {
        const list = copyOf(thunks, 'parallel()', 'functions')
        requireFunctions(list, 'parallel() entry', '() => agent(…) instead of agent(…)')
        const work = (index: number): unknown => {
          // Called as a member it would get the list as `this`.
          const thunk = list[index] as () => unknown
          return thunk()
        }
        return { length: list.length, kind: 'thunk', work }
      }),
    pipeline: (items, ...stages) =>
      begin('pipeline', () => {
        const list = copyOf(items, 'pipeline()', 'items')
        requireFunctions(stages, 'pipeline() stage', 'item => agent(…) instead of agent(…)')
        const { length } = stages
        const work = async (index: number): Promise<unknown> => {
          const item = list[index]
          let value = item
          for (let i = 0; i < length; i++) {
            const stage = stages[i] as (previous: unknown, item: unknown, index: number) => unknown
            value = await tracking.release(stage(value, item, index))
          }
          return value
        }
        return { length: list.length, kind: 'stage', work }
      }),
  }
}
