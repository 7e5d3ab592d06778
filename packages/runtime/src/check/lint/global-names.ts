/** What a script can use without declaring it. */
export const KNOWN_GLOBALS: ReadonlySet<string> = new Set(
  `agent parallel pipeline phase log workflow args budget run ask console
  URL URLSearchParams TextEncoder TextDecoder structuredClone atob btoa queueMicrotask setTimeout clearTimeout
  Object Array String Number Boolean Symbol BigInt Math JSON Date RegExp Map Set WeakMap WeakSet Promise Proxy
  Reflect Iterator Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError
  ArrayBuffer DataView Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array
  Float16Array Float32Array Float64Array BigInt64Array BigUint64Array
  parseInt parseFloat isNaN isFinite encodeURI encodeURIComponent decodeURI decodeURIComponent escape unescape
  globalThis undefined NaN Infinity arguments`.split(/\s+/),
)

/** Absent or throwing, because they turn text into code. */
export const CODE_GENERATION: ReadonlySet<string> = new Set(['eval', 'Function'])

const AGENTS_ACT = 'the script coordinates, an agent does this kind of work'
const ONLY_TIMEOUT = 'the only timer is setTimeout; use a loop with await'
const NO_CLOCK = 'there is no clock; use run.startedAt'
const NOT_REPRODUCIBLE = 'its effect would differ from run to run'
const NO_MODULES = 'a script is one file without modules'

/** Names that scripts written for other places expect, and what to do instead. */
export const ABSENT_GLOBALS: ReadonlyMap<string, string> = new Map([
  ['require', NO_MODULES],
  ['module', NO_MODULES],
  ['exports', NO_MODULES],
  ['__dirname', NO_MODULES],
  ['__filename', NO_MODULES],
  ['process', 'pass what you need in args'],
  ['Buffer', 'use TextEncoder, atob and btoa'],
  ['global', 'use globalThis'],
  ['window', 'use globalThis'],
  ['self', 'use globalThis'],
  ['document', AGENTS_ACT],
  ['fetch', AGENTS_ACT],
  ['XMLHttpRequest', AGENTS_ACT],
  ['WebSocket', AGENTS_ACT],
  ['Deno', AGENTS_ACT],
  ['Bun', AGENTS_ACT],
  ['setInterval', ONLY_TIMEOUT],
  ['clearInterval', ONLY_TIMEOUT],
  ['setImmediate', ONLY_TIMEOUT],
  ['clearImmediate', ONLY_TIMEOUT],
  ['performance', NO_CLOCK],
  ['crypto', 'there is no randomness; use an index, or pass a seed in args'],
  ['Intl', 'locale and time zone are fixed'],
  ['WeakRef', NOT_REPRODUCIBLE],
  ['FinalizationRegistry', NOT_REPRODUCIBLE],
  ['SharedArrayBuffer', NOT_REPRODUCIBLE],
  ['Atomics', NOT_REPRODUCIBLE],
])
