/**
 * Globals of a Tutti workflow script. In a script:
 *
 *     /// <reference types="@tutti/runtime/script" />
 */

/** What an agent can be asked for beyond its prompt. An unknown option is refused by name. */
interface TuttiAgentOptions {
  /** Name in progress views. Default: the start of the prompt. */
  label?: string
  /** Progress group; wins over the current `phase()`. */
  phase?: string
  /** JSON Schema with `type: 'object'` at its root: the result is the object, checked against it. */
  schema?: TuttiObjectSchema
  model?: string
  effort?: 'low' | 'medium' | 'high' | 'xhigh' | 'max'
  /** A named agent definition. */
  agentType?: string
  /** Exact tool names; may only narrow what the agent type allows. */
  tools?: readonly string[]
  /** Bound on the agent's own loop. */
  maxTurns?: number
  /**
   * `'worktree'`: the agent works in a git worktree of its own. `{ from }`: it goes on in that of an earlier agent,
   * named by its label or by what `agent.settled()` gave for it.
   */
  isolation?: 'worktree' | { from: string | TuttiSettled<unknown> | TuttiWorktree }
  /** Working directory below the project root. */
  cwd?: string
  /** Which configured backend runs it. */
  backend?: string
  /** Wall clock for the agent, in milliseconds; past it the result is `null`. */
  timeoutMs?: number
  /** Longest time without a sign of life, in milliseconds. */
  stallMs?: number
  /** Extra tries after a passing failure. `continue`: each goes on with the conversation of the one before it. */
  retries?: number | { max?: number; continue?: boolean }
  /** When a recorded result may be used again: as far as nothing before it changed (`'auto'`), whenever the call is the same, or never. */
  cache?: 'auto' | 'content' | 'never'
}

/** A JSON Schema of an object. */
interface TuttiObjectSchema {
  type: string
  properties?: { readonly [name: string]: unknown }
  required?: readonly string[]
  [keyword: string]: unknown
}

type TuttiFailureCause =
  | 'rate_limited'
  | 'overloaded'
  | 'network'
  | 'server_error'
  | 'quota'
  | 'auth'
  | 'billing'
  | 'timeout'
  | 'stalled'
  | 'no_final_text'
  | 'schema_not_called'
  | 'schema_rejected'
  | 'max_turns'
  | 'context_overflow'
  | 'refused'
  | 'permission_denied'
  | 'invalid_request'
  | 'model_not_found'
  | 'backend_unavailable'
  | 'isolation_failed'
  | 'command_failed'
  | 'crashed'
  | 'skipped'
  | 'stopped'

/** What one call spent, over all its tries. Tokens, except where a name says otherwise. */
interface TuttiUsage {
  /** Without cached ones. */
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  toolUses: number
  durationMs: number
  /** US dollars; `null` when the price is not known. */
  costUsd?: number | null
  /** False when the backend could only estimate. */
  exact?: boolean
}

/** How an agent ended: `ok` with its value, or why not. */
interface TuttiSettled<T> {
  status: 'ok' | 'failed' | 'stopped' | 'skipped'
  /** The result; `null` unless `status` is `'ok'`. */
  value: T | null
  cause: TuttiFailureCause | null
  message: string | null
  /** Tries made. */
  attempts: number
  usage: TuttiUsage
  /** The last text of an agent that did not end well. */
  lastText: string | null
  /** The last object that did not match the schema. */
  lastInvalid: any
  /** The worktree of its own in which it left changes. */
  worktree?: TuttiWorktree
}

/** A git worktree that was kept for the changes in it. */
interface TuttiWorktree {
  /** Absolute. */
  path: string
  /** The commit it started from. */
  base: string
  /** Holds the changes; absent when they could not be committed. */
  branch?: string
  /** Changed files; the first 100. */
  files: string[]
  /** How many there are beyond those. */
  moreFiles?: number
  /** Why the changes are not on a branch, or not listed. */
  problem?: string
}

interface TuttiAgent {
  /**
   * Sends one agent to work and resolves to the object that matches `schema`; `null` when the agent was
   * skipped, stopped, timed out or failed for good. Rejects when no valid object came.
   */
  <T = any>(prompt: string, options: TuttiAgentOptions & { schema: TuttiObjectSchema }): Promise<T | null>
  /**
   * Sends one agent to work and resolves to its final text; `null` when it was skipped, stopped, timed out
   * or failed for good.
   */
  <T = string>(prompt: string, options?: TuttiAgentOptions & { schema?: undefined }): Promise<T | null>
  /** Like `agent()`, but says how the agent ended instead of giving a bare `null`. Same key, same cache. */
  settled<T = any>(
    prompt: string,
    options: TuttiAgentOptions & { schema: TuttiObjectSchema },
  ): Promise<TuttiSettled<T>>
  settled<T = string>(
    prompt: string,
    options?: TuttiAgentOptions & { schema?: undefined },
  ): Promise<TuttiSettled<T>>
}

/** Sends one agent to work. `agent.settled` says how it ended. */
declare const agent: TuttiAgent

/**
 * Starts all functions at once (agents queue for a slot) and waits for all of them. A function that throws
 * gives `null` in its place and a recorded failure. At most 4096 entries.
 *
 *     const [a, b] = await parallel([() => agent('one'), () => agent('two')])
 */
declare function parallel<const T extends readonly (() => unknown)[]>(
  thunks: T,
): Promise<{ -readonly [K in keyof T]: Awaited<ReturnType<T[K]>> | null }>

/** A step of a pipeline: what the step before gave, the item it began with, and its index. */
type TuttiStage<Item, From, To> = (previous: From, item: Item, index: number) => To | PromiseLike<To>

/**
 * Sends each item through all stages on its own: no item waits for another between stages. A stage that
 * throws makes its item `null`; a stage that returns `null` passes `null` on. Results in the order of items.
 */
declare function pipeline<Item, A>(
  items: readonly Item[],
  first: TuttiStage<Item, Item, A>,
): Promise<(A | null)[]>
declare function pipeline<Item, A, B>(
  items: readonly Item[],
  first: TuttiStage<Item, Item, A>,
  second: TuttiStage<Item, A, B>,
): Promise<(B | null)[]>
declare function pipeline<Item, A, B, C>(
  items: readonly Item[],
  first: TuttiStage<Item, Item, A>,
  second: TuttiStage<Item, A, B>,
  third: TuttiStage<Item, B, C>,
): Promise<(C | null)[]>
declare function pipeline<Item, A, B, C, D>(
  items: readonly Item[],
  first: TuttiStage<Item, Item, A>,
  second: TuttiStage<Item, A, B>,
  third: TuttiStage<Item, B, C>,
  fourth: TuttiStage<Item, C, D>,
): Promise<(D | null)[]>
declare function pipeline<Item, A, B, C, D, E>(
  items: readonly Item[],
  first: TuttiStage<Item, Item, A>,
  second: TuttiStage<Item, A, B>,
  third: TuttiStage<Item, B, C>,
  fourth: TuttiStage<Item, C, D>,
  fifth: TuttiStage<Item, D, E>,
): Promise<(E | null)[]>
declare function pipeline<Item>(
  items: readonly Item[],
  ...stages: TuttiStage<Item, any, any>[]
): Promise<any[]>

/** Begins a progress group: agents called from here on belong to it. */
declare function phase(title: string): void

/** Adds a line to the run's log. Objects are written as JSON. `console.log` and its relatives do the same. */
declare function log(...values: unknown[]): void

/**
 * Runs a saved workflow inside this run and resolves to what it returns. One level deep. Rejects with the
 * child's error as `cause`.
 */
declare function workflow<T = any>(nameOrRef: string | { scriptPath: string }, args?: unknown): Promise<T>

/** The value the run was launched with; `undefined` if none. Frozen. */
declare const args: any

/** Output tokens of this run and its children. */
declare const budget: {
  /** `null` when there is no limit. */
  readonly total: number | null
  /** Tokens of everything handed over so far. */
  spent(): number
  /** `Infinity` when there is no limit. */
  remaining(): number
}

/** This run. */
declare const run: {
  readonly id: string
  /** When the first attempt began, in milliseconds since the epoch: the same after a resume. */
  readonly startedAt: number
}

/** The log; every method is `log()`. */
interface Console {
  log(...values: any[]): void
  info(...values: any[]): void
  warn(...values: any[]): void
  error(...values: any[]): void
  debug(...values: any[]): void
}

// What follows yields to the declarations of the DOM or of Node where those are loaded.

declare var console: Console
declare var URL: typeof globalThis extends { onmessage: any; URL: infer T } ? T : TuttiUrlConstructor
declare var URLSearchParams: typeof globalThis extends { onmessage: any; URLSearchParams: infer T }
  ? T
  : TuttiSearchParamsConstructor
declare var TextEncoder: typeof globalThis extends { onmessage: any; TextEncoder: infer T }
  ? T
  : TuttiTextEncoderConstructor
declare var TextDecoder: typeof globalThis extends { onmessage: any; TextDecoder: infer T }
  ? T
  : TuttiTextDecoderConstructor

/** Runs a function after a delay. A firing is recorded and comes back in its place on a resume. */
declare function setTimeout(callback: (...values: any[]) => void, delayMs?: number, ...values: any[]): any
declare function clearTimeout(id: any): void
declare function structuredClone<T = any>(value: T): T
declare function atob(base64: string): string
declare function btoa(latin1: string): string
declare function queueMicrotask(callback: () => void): void

interface TuttiUrlConstructor {
  new (url: string, base?: string): TuttiUrl
  canParse(url: string, base?: string): boolean
}

interface TuttiUrl {
  href: string
  readonly origin: string
  protocol: string
  username: string
  password: string
  host: string
  hostname: string
  port: string
  pathname: string
  search: string
  readonly searchParams: TuttiSearchParams
  hash: string
  toString(): string
  toJSON(): string
}

interface TuttiSearchParamsConstructor {
  new (init?: string | Record<string, string> | Iterable<readonly [string, string]>): TuttiSearchParams
}

interface TuttiSearchParams extends Iterable<[string, string]> {
  append(name: string, value: string): void
  delete(name: string): void
  get(name: string): string | null
  getAll(name: string): string[]
  has(name: string): boolean
  set(name: string, value: string): void
  sort(): void
  entries(): IterableIterator<[string, string]>
  keys(): IterableIterator<string>
  values(): IterableIterator<string>
  toString(): string
}

interface TuttiTextEncoderConstructor {
  new (): { encode(text?: string): Uint8Array }
}

interface TuttiTextDecoderConstructor {
  new (label?: string): { decode(bytes?: ArrayBufferView | ArrayBuffer): string }
}
