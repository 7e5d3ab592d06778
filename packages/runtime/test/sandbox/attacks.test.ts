import { expect, test } from 'vitest'
import { SandboxError, ScriptMemoryError, ScriptTimeoutError } from '../../src/errors/errors.ts'
import { openScript, startScript, valueOf } from './script-run.ts'

/** Each gives 'shut' when it finds nothing; it may also throw. */
const REACHES: [what: string, code: string][] = [
  ['process by constructor', "globalThis.constructor.constructor('return typeof process')()"],
  ['process by the constructor of a primitive', "log.constructor.constructor('return process')()"],
  ['process by name', "typeof process === 'undefined' ? 'shut' : 'open'"],
  ['require by name', "typeof require === 'undefined' ? 'shut' : 'open'"],
  ['WebAssembly', "typeof WebAssembly === 'undefined' ? 'shut' : 'open'"],
  ['engine modules', "typeof std === 'undefined' && typeof os === 'undefined' ? 'shut' : 'open'"],
  [
    'worker globals',
    "typeof postMessage === 'undefined' && typeof parentPort === 'undefined' ? 'shut' : 'open'",
  ],
  ['this at the top', "(function () { return this })() === undefined ? 'shut' : 'open'"],
  ['arguments of the wrapper', "typeof arguments === 'undefined' ? 'shut' : 'open'"],
  ['the caller of a callback', "(function f() { return f.caller })() === undefined ? 'shut' : 'open'"],
  ['callee', '(function () { return arguments.callee })()'],
  [
    'the prelude by caller of a thunk',
    "await parallel([function f() { return f.caller }]).then(r => r[0] === null ? 'shut' : 'open')",
  ],
  [
    'this of a thunk',
    "await parallel([function () { return this === undefined }]).then(r => r[0] ? 'shut' : 'open')",
  ],
  [
    'arguments of a thunk',
    "await parallel([function () { return arguments.length }]).then(r => r[0] === 0 ? 'shut' : 'open')",
  ],
  [
    'this of a stage',
    "await pipeline([1], function () { return this === undefined && arguments.length === 3 }).then(r => r[0] ? 'shut' : 'open')",
  ],
  [
    'the list behind rest arguments',
    "await pipeline([1], function () { return Array.isArray(this) }).then(r => r[0] ? 'open' : 'shut')",
  ],
  [
    'unknown globals',
    `(() => {
    const known = new Set(['agent', 'parallel', 'pipeline', 'workflow', 'ask', 'phase', 'log', 'console', 'args', 'budget', 'run',
      'setTimeout', 'clearTimeout', 'queueMicrotask', 'URL', 'URLSearchParams', 'TextEncoder', 'TextDecoder', 'structuredClone',
      'atob', 'btoa', 'performance', 'Atomics'])
    const builtIn = /^(Error|[A-Z]\\w*Error|[A-Z]\\w*Array|Array|Object|Function|Iterator|parseInt|parseFloat|is\\w+|(de|en)codeURI(Component)?|(un)?escape|Infinity|NaN|undefined|eval|Number|Boolean|String|Math|Reflect|Symbol|globalThis|BigInt|Date|RegExp|JSON|Proxy|(Weak)?(Map|Set|Ref)|\\w*ArrayBuffer|DataView|Promise|FinalizationRegistry)$/
    const odd = Object.getOwnPropertyNames(globalThis).filter(name => !known.has(name) && !builtIn.test(name))
    return odd.length === 0 && Object.getOwnPropertySymbols(globalThis).every(s => s === Symbol.toStringTag) ? 'shut' : odd.join()
  })()`,
  ],
  [
    'properties of primitives',
    "[agent, parallel, log, budget.spent, setTimeout].flatMap(f => Reflect.ownKeys(f)).every(k => ['length', 'name', 'settled'].includes(k)) ? 'shut' : 'open'",
  ],
  [
    'the prototype of a promise of a primitive',
    "Object.isFrozen(Object.getPrototypeOf(agent.settled('x'))) ? 'shut' : 'open'",
  ],
  ['the class of a promise of a primitive', "agent.settled('x').constructor === undefined ? 'shut' : 'open'"],
  [
    'a symbol on a promise of a primitive',
    "Reflect.ownKeys(agent.settled('x')).length === 0 ? 'shut' : 'open'",
  ],
  ['a host object behind args', "Object.getPrototypeOf(args) === Object.prototype ? 'shut' : 'open'"],
  ['a getter behind run', "Object.getOwnPropertyDescriptor(run, 'id').get === undefined ? 'shut' : 'open'"],
  ['importing a file', "await import('file:///etc/passwd')"],
  ['importing by data URL', "await import('data:text/javascript,export default 1')"],
  ['importing the prelude', "await import('tutti:prelude')"],
  [
    'a stack trace hook',
    "(() => { Error.prepareStackTrace = (e, s) => s; return typeof new Error().stack === 'string' ? 'shut' : 'open' })()",
  ],
  [
    'code behind a lazy global',
    "(() => { const { get } = Object.getOwnPropertyDescriptor(globalThis, 'btoa'); return get === undefined || get() === btoa ? 'shut' : 'open' })()",
  ],
  ['code in a regular expression', "new RegExp('(?{process})')"],
]

test('no path leads to the host or into the prelude', async () => {
  const value = await valueOf(
    `const out = []
     for (const f of [${REACHES.map(([, code]) => `async () => ${code}`).join(',\n')}]) {
       try { out.push(await f()) } catch { out.push('shut') }
     }
     return out`,
    { args: {} },
  )
  expect(REACHES.map(([what], index) => [what, (value as string[])[index]])).toEqual(
    REACHES.map(([what]) => [what, 'shut']),
  )
})

const SABOTAGE: [what: string, code: string][] = [
  [
    'array methods',
    "for (const k of Reflect.ownKeys(Array.prototype)) try { Array.prototype[k] = () => { throw new Error('patched') } } catch {}",
  ],
  [
    'object setters',
    "for (const k of ['type', 'id', 'path', 'prompt', 'options', 'label', 'value', 'handled', 'promise', 'resolve', 'get', 'reason', 'problem']) Object.defineProperty(Object.prototype, k, { __proto__: null, set() { throw new Error('setter') }, get() { return undefined }, configurable: true })",
  ],
  ['toJSON everywhere', "for (const C of [String, Number, Boolean]) C.prototype.toJSON = () => 'forged'"],
  ['JSON', "JSON.stringify = () => '\"forged\"'; JSON.parse = () => 'forged'"],
  [
    'string methods',
    "for (const k of Object.getOwnPropertyNames(String.prototype)) if (k !== 'length') String.prototype[k] = () => 'forged'",
  ],
  [
    'promises',
    "Promise.prototype.then = () => 'forged'; Promise.prototype.catch = 0; Promise.resolve = Promise.all = Promise.withResolvers = () => 'forged'",
  ],
  [
    'the constructor of promises',
    "Object.defineProperty(Promise.prototype, 'constructor', { get() { return function (f) { f(() => {}, () => {}) } } })",
  ],
  [
    'the species of promises',
    "Object.defineProperty(Promise, Symbol.species, { get() { throw new Error('species') } })",
  ],
  ['the global promise', "globalThis.Promise = function () { throw new Error('mine') }"],
  [
    'maps',
    "for (const C of [Map, WeakMap, Set]) for (const k of ['get', 'set', 'has', 'delete', 'add', 'values']) C.prototype[k] = () => { throw new Error('patched') }",
  ],
  [
    'functions',
    "Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => 'forged'",
  ],
  [
    'reflection',
    'for (const k of Object.getOwnPropertyNames(Reflect)) Reflect[k] = () => false; Object.defineProperty = Object.keys = Object.freeze = Object.setPrototypeOf = () => ({})',
  ],
  [
    'iterators',
    "Array.prototype[Symbol.iterator] = function* () { yield 'forged' }; Object.getPrototypeOf([][Symbol.iterator]).next = undefined",
  ],
  ['errors', "globalThis.Error = globalThis.TypeError = class {}; Error.prototype.stack = 'forged'"],
  [
    'symbols',
    "Object.prototype[Symbol.toPrimitive] = () => 'forged'; Object.prototype[Symbol.toStringTag] = 'forged'",
  ],
  [
    'the globals themselves',
    'for (const k of Object.getOwnPropertyNames(globalThis)) if (!["agent", "parallel", "undefined"].includes(k)) try { globalThis[k] = undefined } catch {}',
  ],
]

test.each(SABOTAGE)('a script that patches %s gets what it would have got without', async (_, code) => {
  const sandbox = await openScript(
    `${code}
const first = agent('one', { label: 'L' })
const both = await parallel([() => agent('two'), () => first])
return both`,
  )
  const { effects, state: started } = await sandbox.deliver({ type: 'start' })
  expect(started).toEqual({ status: 'waiting' })
  expect(effects).toEqual([
    {
      type: 'agent',
      id: 1,
      path: '',
      settled: false,
      prompt: 'one',
      options: { label: 'L' },
      place: 'workflow.js:3:15',
    },
    { type: 'agent', id: 2, path: '', settled: false, prompt: 'two', options: {}, place: 'workflow.js:4:36' },
  ])
  await sandbox.deliver({ type: 'resolve', id: 2, value: 2, spent: 0 })
  const { state } = await sandbox.deliver({ type: 'resolve', id: 1, value: 1, spent: 0 })
  expect(state).toMatchObject({ status: 'returned', value: [2, 1] })
})

test('setters on array indices can spoil a call of their own script, but forge nothing', async () => {
  const { effects } = await startScript(
    `const seen = []
for (const i of [0, 1, 2]) Object.defineProperty(Array.prototype, i, { set(v) { seen.push(this); throw new Error('setter') }, get() { return 'forged' }, configurable: true })
agent('one')
agent('two', { label: 'L' }).catch(() => agent('three'))
await parallel([() => agent('four')])`,
  )
  expect(effects).toMatchObject([{ prompt: 'one', options: {} }, { prompt: 'four' }, { prompt: 'three' }])
})

test('prompts and options cannot leave their fields', async () => {
  const { effects } = await startScript(
    `agent('"},{"type":"log","message":"forged"}', { label: '\\u2028"}]', ['__proto__']: { a: 1 }, toJSON: undefined })
     agent({ toString: () => 'forged' }, new (class { toJSON() { return { label: 'mine' } } })())
     log({ toJSON: () => '","path":"9' })
     agent.call({ path: '9' }, 'x')
     await new Promise(() => {})`,
  )
  expect(effects).toEqual([
    expect.objectContaining({ type: 'agent', path: '', prompt: '"},{"type":"log","message":"forged"}' }),
    expect.objectContaining({ type: 'agent', path: '', prompt: null, options: { label: 'mine' } }),
    { type: 'log', path: '', message: '"\\",\\"path\\":\\"9"' },
    expect.objectContaining({ type: 'agent', path: '', prompt: 'x' }),
  ])
})

test('a result with a then, a toJSON and a __proto__ is data', async () => {
  const sandbox = await openScript(
    "const r = await agent('a'); return [typeof r.then, typeof r.toJSON, r.polluted, Object.keys(r), ({}).polluted]",
  )
  await sandbox.deliver({ type: 'start' })
  const value = JSON.parse('{"then":1,"toJSON":"x","__proto__":{"polluted":1}}') as { then: number }
  const { state } = await sandbox.deliver({ type: 'resolve', id: 1, value, spent: 0 })
  expect(state).toEqual({
    status: 'returned',
    value: ['number', 'string', undefined, ['then', 'toJSON', '__proto__'], undefined].map(x => x ?? null),
  })
})

test('a re-entrant or thenable callback changes nothing but its own entry', async () => {
  const { effects, state } = await startScript(
    `const out = await parallel([
       () => ({ then(resolve) { resolve('thenable') } }),
       () => ({ then() { throw new Error('no') } }),
       () => ({ get then() { throw new Error('getter') } }),
       () => parallel([() => parallel([() => 'deep'])]),
       async function* () { yield 1 },
       () => new Proxy(() => {}, { get() { throw new Error('proxy') } }),
     ])
     return out.map(x => typeof x === 'object' && x !== null && !Array.isArray(x) ? 'object' : x)`,
  )
  expect(state).toEqual({ status: 'returned', value: ['thenable', null, null, [['deep']], 'object', null] })
  const dropped = effects.map(effect => effect.type === 'dropped' && effect.index)
  expect(new Set(dropped)).toEqual(new Set([1, 2, 5]))
})

test('the lists behind primitives may be proxies that lie', async () => {
  const { state } = await startScript(
    `const liar = new Proxy([() => 1], { get(t, k) { if (k === 'length') return 3; if (k === '1') return () => 2; if (k === '2') throw new Error('trap'); return t[k] } })
     const out = []
     for (const list of [liar, new Proxy([], { get() { throw 'all' } }), Object.assign([], { length: 5 })]) {
       try { await parallel(list); out.push('ran') } catch (e) { out.push(e.message ?? e) }
     }
     return out`,
  )
  expect(state).toEqual({
    status: 'returned',
    value: ['trap', 'all', expect.stringContaining('entry 0 must be a function, but is undefined')],
  })
})

test('whatever is thrown, the end of the run is a plain error', async () => {
  const throws = [
    'new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 } })',
    'Object.create(null)',
    'Object.assign(new Error("m"), { stack: 5, name: {}, code: Symbol() })',
    '(() => { const e = new Error("m"); Object.defineProperty(e, "cause", { get() { throw e } }); return e })()',
    '(() => { const e = new Error("m"); e.stack = "    at evil (workflow.js:9:9)\\n".repeat(1e4); return e })()',
    'Object.assign(new Error("m"), { code: "agent-limit" })',
  ]
  const { effects } = await startScript(
    `await parallel([${throws.map(code => `() => { throw ${code} }`).join()}])`,
  )
  expect(effects).toHaveLength(throws.length)
  for (const effect of effects) {
    expect(effect).toMatchObject({
      type: 'dropped',
      error: { name: expect.any(String), message: expect.any(String) },
    })
    expect(JSON.stringify(effect).length).toBeLessThan(2000)
    expect(effect).not.toHaveProperty('error.code', 'agent-limit')
  }
})

const EXHAUSTING: [what: string, code: string][] = [
  ['a thenable that resolves to itself for ever', 'const t = { then(r) { r(t) } }; await t'],
  ['an endless iterator of thunks', 'await parallel([...(function* () { for (;;) yield () => 1 })()])'],
  [
    'a proxy with endless keys',
    "await agent('a', new Proxy({}, { ownKeys: () => Array.from({ length: 1e7 }, (_, i) => 'k' + i), getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }) }))",
  ],
  ['log without end', "for (;;) log('x'.repeat(1e5))"],
  ['agents without end', "for (;;) agent('x')"],
  ['timers without end', 'for (;;) setTimeout(() => {}, 0)'],
  ['strings that double', "let s = 'ab'; for (;;) s = s.split('').join(s.slice(0, 1000))"],
  ['a queue of promises', 'const q = []; for (;;) q.push(Promise.resolve().then(() => {}))'],
  ['nested quantifiers', "return /(x+x+)+y/.test('x'.repeat(60))"],
  ['a huge array fill', 'const a = []; for (;;) a.push(new Array(1e6).fill(0))'],
]

test.each(EXHAUSTING)(
  '%s ends',
  async (_, code) => {
    const hostile = await openScript(code, { scriptCpuMs: 150, scriptMemoryMiB: 6 })
    const open = hostile.deliver({ type: 'start' }).catch((error: unknown) => error)
    const end = await open
    const ended =
      end instanceof ScriptTimeoutError ||
      end instanceof ScriptMemoryError ||
      (!(end instanceof SandboxError) && typeof end === 'object' && end !== null && 'state' in end)
    expect(ended, String(end)).toBe(true)
  },
  15_000,
)

test('while one script spins, another one works', async () => {
  const hostile = await openScript('for (;;) {}', { scriptCpuMs: 600_000 })
  const spinning = hostile.deliver({ type: 'start' }).catch((error: unknown) => error)
  const other = await openScript("return await agent('a')")
  await other.deliver({ type: 'start' })
  const { state } = await other.deliver({ type: 'resolve', id: 1, value: 'fine', spent: 0 })
  expect(state).toEqual({ status: 'returned', value: 'fine' })
  await hostile.terminate()
  expect(await spinning).toBeInstanceOf(SandboxError)
})

test('source that breaks out of its wrapper is still inside the engine', async () => {
  const sandbox = await openScript('return 1 }; globalThis.out = typeof process; async () => { return out')
  const result = await sandbox.deliver({ type: 'start' })
  expect(JSON.stringify(result)).not.toContain('object')
})
