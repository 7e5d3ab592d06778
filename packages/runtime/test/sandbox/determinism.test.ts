import { expect, test } from 'vitest'
import { startScript, valueOf } from './script-run.ts'

const CLOSED: [what: string, code: string][] = [
  ['the clock', 'Date.now()'],
  ['a new date', 'new Date()'],
  ['a date as text', 'Date()'],
  ['a date called with a value', 'Date(0)'],
  ['the clock behind an instance', 'new Date(0).constructor.now()'],
  ['the clock behind the prototype', 'Date.prototype.constructor.now()'],
  ['an alias', 'const D = Date; D.now()'],
  ['a computed name', "globalThis['Da' + 'te'].now()"],
  ['a subclass', 'class D extends Date {}; new D()'],
  ['construct', 'Reflect.construct(Date, [])'],
  [
    'construct with another target',
    'Reflect.construct(Object, [], Date); Reflect.construct(Date, [], Array)',
  ],
  ['apply', 'Date.apply(null, [])'],
  ['bind', 'new (Date.bind(null))()'],
  ['an inherited date', 'Object.create(Date).now()'],
  ['chance', 'Math.random()'],
  ['chance by a computed name', "Math['ran' + 'dom']()"],
  ['chance by an alias', 'const { random } = Math; random()'],
  ['performance', 'performance.now()'],
  ['eval', "eval('1')"],
  ['indirect eval', "(0, eval)('1')"],
  ['eval by name', "globalThis.eval('1')"],
  ['Function', "new Function('return 1')()"],
  ['Function called', "Function('return 1')()"],
  ['the constructor of a function', "(() => 1).constructor('return 1')()"],
  ['the constructor of a primitive', "agent.constructor('return 1')()"],
  ['the constructor of a method', "[].map.constructor('return 1')()"],
  ['the constructor of an async function', "(async () => {}).constructor('return 1')()"],
  ['the constructor of a generator', "(function* () {}).constructor('return 1')()"],
  ['the constructor of an async generator', "(async function* () {}).constructor('return 1')()"],
  ['the constructor of a class', "(class {}).constructor('return 1')()"],
  ['a subclass of Function', "class F extends Function {}; new F('return 1')()"],
  ['construct of Function', "Reflect.construct(Function, ['return 1'])()"],
  ['construct by way of a prototype', "Object.getPrototypeOf(async () => {}).constructor('return 1')()"],
  ['WeakRef', 'new WeakRef({})'],
  ['FinalizationRegistry', 'new FinalizationRegistry(() => {})'],
  ['SharedArrayBuffer', 'new SharedArrayBuffer(8)'],
  ['Atomics.wait', 'Atomics.wait(new Int32Array(4), 0, 0)'],
  ['import()', "await import('fs')"],
]

test('nothing that answers differently the next time is open, by any path', async () => {
  const value = await valueOf(
    `const out = []
     for (const f of [${CLOSED.map(([, code]) => `async () => { ${code} }`).join(',\n')}]) {
       try { await f(); out.push('open') } catch { out.push('shut') }
     }
     return out`,
  )
  expect(CLOSED.map(([what], index) => [what, (value as string[])[index]])).toEqual(
    CLOSED.map(([what]) => [what, 'shut']),
  )
})

const WAYS_OUT: [code: string, hint: string][] = [
  ['Date.now()', 'run.startedAt'],
  ['new Date()', 'args'],
  ['Math.random()', 'index in the prompt'],
  ["eval('1')", 'in the script'],
  ["new Function('1')", 'in the script'],
  ['performance.now()', 'run.startedAt'],
  ['new WeakRef({})', 'plain reference'],
]

test('what is closed names the way out and has its line', async () => {
  const { effects } = await startScript(
    `await parallel([\n${WAYS_OUT.map(([code]) => `() => { ${code} },`).join('\n')}\n])`,
  )
  expect(effects.map(effect => effect.type === 'dropped' && effect.error)).toEqual(
    WAYS_OUT.map(([, hint], index) => ({
      name: 'DeterminismError',
      message: expect.stringContaining(hint),
      stack: expect.stringMatching(new RegExp(`^at workflow\\.js:${index + 3}:\\d`)),
    })),
  )
})

test('dates made from values work, in UTC', async () => {
  expect(
    await valueOf(
      `const d = new Date(2020, 0, 2, 3, 4, 5)
       class Day extends Date { get day() { return this.getDate() } }
       return [d.toISOString(), d.getHours(), d.getTimezoneOffset(), String(new Date(0)), Date.parse('2020-01-01T00:00'),
         Date.UTC(2020, 0), new Day(0).day, new Day(0) instanceof Date, d.constructor === Date, Date.name, Date.length,
         new Date(d).getTime() === d.getTime(), new Date(undefined).getTime(), JSON.stringify(d)]`,
    ),
  ).toEqual([
    '2020-01-02T03:04:05.000Z',
    3,
    0,
    'Thu Jan 01 1970 00:00:00 GMT+0000',
    1_577_836_800_000,
    1_577_836_800_000,
    1,
    true,
    true,
    'Date',
    7,
    true,
    null,
    '"2020-01-02T03:04:05.000Z"',
  ])
})

test('functions are still functions', async () => {
  expect(
    await valueOf(
      `const kinds = [() => 1, async () => 1, function* () {}, async function* () {}]
       return [kinds.map(f => f instanceof Function), kinds.map(f => f.constructor.name), typeof Function.prototype.call]`,
    ),
  ).toEqual([
    [true, true, true, true],
    ['Function', 'AsyncFunction', 'GeneratorFunction', 'AsyncGeneratorFunction'],
    'function',
  ])
})

test('there is one locale', async () => {
  expect(
    await valueOf(
      `const d = new Date(Date.UTC(2024, 1, 3, 15, 4, 5))
       return [
         [1234567.891, 0, -0, -1e3, 999.9995, 1e21, 1e-7, NaN, -Infinity].map(n => n.toLocaleString()),
         [(0.256).toLocaleString('de', { style: 'percent' }), (2).toLocaleString(undefined, { minimumFractionDigits: 2 }),
          (1.005).toLocaleString('en', { maximumFractionDigits: 1 })],
         (-1234567n).toLocaleString(),
         [d.toLocaleString(), d.toLocaleDateString('de'), d.toLocaleTimeString(), new Date(NaN).toLocaleString(),
          new Date(0).toLocaleTimeString()],
         ['b', 'a', 'C', 'A', 'é', 'e', 'z', 'É', '_', '1'].sort((x, y) => x.localeCompare(y)),
         ['a10', 'a9', 'a1'].sort((x, y) => x.localeCompare(y, undefined, { numeric: true })),
         ['a'.localeCompare('A', 'en', { sensitivity: 'base' }), 'a'.localeCompare('á', 'en', { sensitivity: 'base' }), 'a'.localeCompare('a')],
         'İI'.toLocaleLowerCase('tr').length, 'i'.toLocaleUpperCase('tr'),
         [1234.5, new Date(0)].toLocaleString(),
       ]`,
    ),
  ).toEqual([
    ['1,234,567.891', '0', '-0', '-1,000', '1,000', '1,000,000,000,000,000,000,000', '0', 'NaN', '-∞'],
    ['26%', '2.00', '1'],
    '-1,234,567',
    ['2/3/2024, 3:04:05 PM', '2/3/2024', '3:04:05 PM', 'Invalid Date', '12:00:00 AM'],
    ['1', '_', 'a', 'A', 'b', 'C', 'e', 'é', 'É', 'z'],
    ['a1', 'a9', 'a10'],
    [0, 0, 0],
    3,
    'I',
    '1,234.5,1/1/1970, 12:00:00 AM',
  ])
})

test('the same script does the same in every engine', async () => {
  const body = `const o = { b: 1, a: 2, 3: 3 }
    return [Object.keys(o), [3, 1, 2].sort(), new Error('x').stack, Math.sin(1e6), Math.pow(2, 0.5), [..."añ😀"], 'x'.normalize('NFD')]`
  expect(await valueOf(body)).toEqual(await valueOf(body))
})
