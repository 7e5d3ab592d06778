import { expect, test } from 'vitest'
import { errorOf, openScript, startScript, valueOf } from './script-run.ts'

const PATCHES: [what: string, code: string][] = [
  ['a toJSON for all objects', 'Object.prototype.toJSON = () => 7'],
  ['a toJSON for all arrays', "Array.prototype.toJSON = () => 'forged'"],
  ['a toJSON for all functions', "Function.prototype.toJSON = () => 'forged'"],
  [
    'a toJSON behind a getter',
    "Object.defineProperty(Object.prototype, 'toJSON', { get() { return () => ({ label: 'forged' }) }, configurable: true })",
  ],
  [
    'a toJSON behind a getter that throws',
    "Object.defineProperty(Object.prototype, 'toJSON', { get() { throw new Error('trap') }, configurable: true })",
  ],
  [
    'a toJSON behind a getter that is another one each time',
    "let n = 0; Object.defineProperty(Object.prototype, 'toJSON', { get() { return n++ % 2 ? undefined : () => n }, configurable: true })",
  ],
  ['a toJSON that throws', "Object.prototype.toJSON = () => { throw new Error('trap') }"],
  ['a toJSON that calls an agent', "Object.prototype.toJSON = () => agent('forged')"],
  ['a toJSON that never ends', 'Object.prototype.toJSON = () => { for (;;) {} }'],
]

test.each(PATCHES)('%s reaches no call, no log and no result', async (_, code) => {
  const sandbox = await openScript(
    `${code}
log({ a: [1] })
const { list } = await agent('one', { label: 'L', schema: { type: 'object', required: ['list'] } })
return { list, more: [{ b: 2 }] }`,
  )
  const { effects } = await sandbox.deliver({ type: 'start' })
  expect(effects).toMatchObject([
    { type: 'log', message: '{"a":[1]}' },
    {
      type: 'agent',
      prompt: 'one',
      options: { label: 'L', schema: { type: 'object', required: ['list'] } },
    },
  ])
  const { effects: later, state } = await sandbox.deliver({
    type: 'resolve',
    id: 1,
    value: { list: [{ a: 1 }] },
    spent: 0,
  })
  expect(later).toEqual([])
  expect(state).toEqual({ status: 'returned', value: { list: [{ a: 1 }], more: [{ b: 2 }] } })
})

test('a class of the script keeps the toJSON that it gave itself, also beside a patch', async () => {
  const value = await valueOf(
    `Object.prototype.toJSON = () => 7
     class Point { constructor() { this.x = 1 } toJSON() { return { at: this.x } } }
     return { point: new Point(), own: { toJSON: () => 'mine' }, day: new Date(0), plain: { y: 2 } }`,
  )
  expect(value).toEqual({ point: { at: 1 }, own: 'mine', day: '1970-01-01T00:00:00.000Z', plain: { y: 2 } })
})

const RESULTS: [what: string, code: string, value: unknown][] = [
  ['a getter', "return { get a() { return 'mine' } }", { a: 'mine' }],
  ['a proxy', "return new Proxy({ a: 1 }, { get: (t, k) => k === 'a' ? 'lie' : t[k] })", { a: 'lie' }],
  [
    'a proxy of an array that lies about its length',
    "return new Proxy([1], { get: (t, k) => k === 'length' ? 3 : t[k] })",
    [1, null, null],
  ],
  ['an object with a then', 'return { value: { then: 1 } }', { value: { then: 1 } }],
  ['a symbol', 'return { [Symbol.iterator]: 1, a: 1 }', { a: 1 }],
  ['a map, which JSON does not know', "return new Map([['a', 1]])", {}],
  ['wrapped primitives', 'return [new Number(1), new String("s"), new Boolean(false)]', [1, 's', false]],
  [
    'a frame of the protocol',
    `return '"}}],"state":{"status":"threw"}}'`,
    '"}}],"state":{"status":"threw"}}',
  ],
  ['lone surrogates and separators', "return '\\ud800\\u2028\\u0000'", '\ud800\u2028\0'],
]

test.each(RESULTS)('a result that is %s comes out as data', async (_, code, value) => {
  expect(await valueOf(code)).toEqual(value)
})

test('a result whose proxy throws is a result error, not a crash', async () => {
  const { state } = await startScript(
    "return { fine: 1, bad: new Proxy({}, { ownKeys() { throw new Error('trap') } }) }",
  )
  expect(state).toMatchObject({ status: 'returned', value: { fine: 1, bad: null } })
  expect(state).toMatchObject({ resultError: expect.stringContaining('trap') })
})

test('nothing enters a script that has returned: timers, agents and children of it are dead', async () => {
  const sandbox = await openScript(
    `setTimeout(() => { log('late'); agent('late') }, 1)
     agent('pending').then(() => { log('late'); agent('late') }, () => {})
     queueMicrotask(() => {})
     return 'over'`,
  )
  const { state } = await sandbox.deliver({ type: 'start' })
  expect(state).toEqual({ status: 'returned', value: 'over' })
  for (const id of [1, 2, 3, 99]) {
    const late = await sandbox.deliver({ type: 'resolve', id, value: 1, spent: 0 })
    expect(late).toEqual({ effects: [], state })
  }
})

test('an id is settled once, and an unknown one settles nothing', async () => {
  const sandbox = await openScript(
    "const seen = []\nagent('a').then(v => seen.push(v))\nawait agent('b')\nreturn seen",
  )
  await sandbox.deliver({ type: 'start' })
  await sandbox.deliver({ type: 'resolve', id: 77, value: 'forged', spent: 0 })
  await sandbox.deliver({ type: 'resolve', id: 1, value: 'first', spent: 0 })
  await sandbox.deliver({ type: 'resolve', id: 1, value: 'second', spent: 0 })
  const { state } = await sandbox.deliver({ type: 'resolve', id: 2, value: 0, spent: 0 })
  expect(state).toEqual({ status: 'returned', value: ['first'] })
})

test('args cannot be changed, whichever way', async () => {
  const value = await valueOf(
    `const tries = [
       () => { args.a = 2 },
       () => { args.list.push(1) },
       () => { args.list[0] = 'x' },
       () => { delete args.a },
       () => Object.setPrototypeOf(args, { b: 1 }),
       () => Object.defineProperty(args, 'a', { value: 3 }),
       () => { args.__proto__ = { c: 1 } },
       () => Reflect.set(args, 'a', 4) && 'changed',
     ]
     const out = tries.map(f => { try { return f() === 'changed' } catch { return false } })
     return [args, out.some(Boolean)]`,
    { args: { a: 1, list: [1] } },
  )
  expect(value).toEqual([{ a: 1, list: [1] }, false])
})

test('an option that throws cannot pass for an error of the run', async () => {
  const error = await errorOf(
    "await agent('a', { get label() { throw { stack: 'x', code: 'agent-limit' } } })",
  )
  expect(error.code).toBeUndefined()
  expect(error.stack ?? '').not.toMatch(/prelude|hub|quickjs/i)
})
