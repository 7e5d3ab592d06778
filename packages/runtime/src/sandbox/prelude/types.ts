/** Types of the code that runs inside the script engine. Nothing here exists at run time. */

/** What a realm is told when it is made; crosses as JSON. */
export interface RealmOptions {
  /** '' at the top. */
  path: string
  /** Name of the script in stack frames. */
  file: string
  /** The text that positions point into. */
  source: string
  /** Columns to subtract on line 1. */
  lineOneShift: number
  /** Absent: the script sees `undefined`. */
  args?: unknown
  run: { id: string; startedAt: number }
  budgetTotal: number | null
  entries: number
  /** The `workflow()` call this realm answers; absent at the top. */
  child?: { callId: number; name: string }
}

/** A promise and its ends. */
export interface Pending {
  promise: Promise<unknown>
  resolve(value: unknown): void
  reject(reason: unknown): void
}

/** The built-ins that the prelude uses, taken before the script can patch them. */
export interface Primordials {
  NativePromise: PromiseConstructor
  NativeError: ErrorConstructor
  NativeDate: DateConstructor
  errorTypes: Record<string, ErrorConstructor>
  evaluate(text: string): unknown
  stringify(value: unknown): string | undefined
  parse(text: string): unknown
  newPending(): Pending
  then<T>(
    promise: Promise<T>,
    onValue?: (value: T) => unknown,
    onError?: (error: unknown) => unknown,
  ): Promise<unknown>
  finally(promise: Promise<unknown>, action: unknown): Promise<unknown>
  resolved(): Promise<undefined>
  apply(callee: unknown, self: unknown, args: readonly unknown[]): unknown
  construct(callee: unknown, args: readonly unknown[], newTarget: unknown): object
  isArray(value: unknown): value is unknown[]
  freeze<T>(value: T): T
  keys(value: object): string[]
  hasOwn(value: object, key: PropertyKey): boolean
  getPrototypeOf(value: object): object | null
  setPrototypeOf<T extends object>(value: T, prototype: object | null): T
  defineProperty(target: object, key: PropertyKey, descriptor: PropertyDescriptor): boolean
  indexOf(text: string, part: string, from?: number): number
  slice(text: string, from: number, to?: number): string
  charCodeAt(text: string, index: number): number
  join(list: readonly unknown[], separator: string): string
  toText(value: unknown): string
  toNumber(value: unknown): number
  isFinite(value: unknown): boolean
  newMap<K, V>(): Map<K, V>
  mapGet<K, V>(map: Map<K, V>, key: K): V | undefined
  mapSet<K, V>(map: Map<K, V>, key: K, value: V): void
  mapDelete<K>(map: Map<K, unknown>, key: K): boolean
  /** The value that was put in first and is still there. */
  mapFirst<K, V>(map: Map<K, V>): V | undefined
  newWeakMap<K extends object, V>(): WeakMap<K, V>
  weakGet<K extends object, V>(map: WeakMap<K, V>, key: K): V | undefined
  weakSet<K extends object, V>(map: WeakMap<K, V>, key: K, value: V): void
  /** A list without a prototype: nothing the script patches can see what is put in. */
  bareList<T>(): T[]
  /** Sets a data property, whatever setters a prototype has. */
  put(target: object, key: PropertyKey, value: unknown): void
  /** The same, not enumerable. */
  hide(target: object, key: PropertyKey, value: unknown): void
}

/** Takes the end of a call, as JSON; '' is `undefined`. */
export type Receive = (ok: boolean, text: string) => void

/** What all realms of one engine share. Only primitives and prelude closures pass through it. */
export interface Hub {
  nextId(): number
  emit(effect: string): void
  expect(id: number, receive: Receive): void
  forget(id: number): void
  spent(): number
  /** Hands in the end of a call from inside the engine. */
  settle(id: number, ok: boolean, text: string): void
  /** Adds a check that runs when no job is left; true from it: something was set in motion. */
  onIdle(check: () => boolean): void
  /** The end of the top script: JSON of its state, or `memory` or `null`. */
  end(state: string): void
}

/** The hub as the thread drives it. */
export interface HubControl extends Hub {
  /** Takes `v` or `e`, the id, a blank, the tokens spent so far, a blank, and JSON: the end of a call. */
  receive(message: string): void
  /**
   * The pump's result as JSON; '' if a realm found a rejection that nobody handled, and jobs must run again.
   * `memory`: the engine ran out of memory. A leading `?`: the script threw null, which is also what the
   * engine throws when it cannot even allocate an error.
   */
  drain(): string
}

/** Turns the engine's positions into those of the user's editor. */
export interface Positions {
  /** From `LINE:COLUMN` of the engine to the same in UTF-16 columns, pointing at the name that is called. */
  translate(raw: string): string
}

/** An error as data, inside the engine. */
export interface ErrorData {
  name: string
  message: string
  code?: string
  hint?: string
  stack?: string
  cause?: ErrorData
  data?: Record<string, unknown>
}

export interface Errors {
  /** `file:LINE:COLUMN` of the innermost frame of the script. */
  place(): string | undefined
  /** A real error from data, its first frame being the call. */
  fromData(data: ErrorData, label: string, place: string | undefined): Error
  /** Anything thrown, as JSON text. */
  toText(thrown: unknown): string
  /** One line about anything thrown. */
  brief(thrown: unknown): string
  inputError(message: string): Error
  isRunLevel(thrown: unknown): boolean
  isOutOfMemory(thrown: unknown): boolean
}

export interface Rejection {
  label: string
  place: string | undefined
  reason: unknown
}

/** A tracked promise and its ends; each may be settled once. */
export interface Ticket extends Pending {
  label: string
  place: string | undefined
}

export interface Tracking {
  /** A promise that is missed when it rejects and nobody handles it. */
  open(label: string, place: string | undefined): Ticket
  /** Counts as handling; a tracked promise becomes a plain one, which is cheaper to await. */
  release(value: unknown): unknown
  isTracked(value: unknown): boolean
  firstUnhandled(): Rejection | undefined
}

export interface JsonText {
  /** Absent: the value is `undefined`. */
  text?: string
  /** What JSON could not hold, with its path. */
  problem?: string
}

/** What the parts of one realm share. */
export interface Realm {
  options: RealmOptions
  pathText: string
  p: Primordials
  hub: Hub
  errors: Errors
  tracking: Tracking
  /** JSON of a value; what JSON cannot hold becomes null and is named. */
  toJson(value: unknown, root: string): JsonText
  /** The script has returned or thrown: nothing more is started. */
  ended(): boolean
  /** Something outside the script's own promise threw. */
  fail(thrown: unknown): void
  phase: string | undefined
}

export interface RealmControl {
  hub: Hub
  /** Starts the script: `main` is its compiled body. */
  begin(main: () => Promise<unknown>): void
  /** The script did not compile. */
  refuse(error: unknown): void
}
