import { expect, test } from 'vitest'
import { ScriptMemoryError, ScriptTimeoutError } from '../../src/errors/errors.ts'
import { errorOf, openScript, startScript, valueOf } from './script-run.ts'

test('a loop after an await is ended with the limit and where it was last seen', async () => {
  const sandbox = await openScript(
    "await agent('a')\nlet n = 0\nfunction spin() {\n  for (;;) n++\n}\nspin()",
    {
      scriptCpuMs: 100,
    },
  )
  await sandbox.deliver({ type: 'start' })
  const error: unknown = await sandbox
    .deliver({ type: 'resolve', id: 1, value: 1, spent: 0 })
    .catch((e: unknown) => e)
  expect(error).toBeInstanceOf(ScriptTimeoutError)
  expect(error).toMatchObject({
    code: 'script-timeout',
    message: expect.stringMatching(/100 ms.*workflow\.js:5/),
  })
  await expect(sandbox.deliver({ type: 'resolve', id: 1, value: 1, spent: 0 })).rejects.toThrow('ended')
})

test.each([
  ['a caught loop', 'for (;;) { try { for (;;) {} } catch {} finally { continue } }'],
  ['nothing but awaits', 'for (;;) await null'],
  ['promises that feed themselves', 'const f = () => Promise.resolve().then(f); await f()'],
  ['microtasks that feed themselves', 'const f = () => queueMicrotask(f); f(); await new Promise(() => {})'],
  [
    'an async function that goes on after its loop was cut',
    'const f = async () => { for (;;) {} }; for (;;) await f().catch(() => {})',
  ],
  ['a generator', 'function* g() { for (;;) yield 1 }; for (const x of g()) {}'],
  ['a catastrophic expression', "return /^(a+)+$/.test('a'.repeat(40) + 'b')"],
  ['a comparator', 'const a = Array.from({ length: 100000 }, (_, i) => -i); for (;;) a.sort(() => 1)'],
  ['a loop in a getter of the result', 'return { get x() { for (;;) {} } }'],
  ['a loop in a toJSON of an option', "await agent('a', { schema: { toJSON() { for (;;) {} } } })"],
  ['a loop in the message of an error', 'throw { get message() { for (;;) {} } }'],
])('%s runs out of fuel', async (_, body) => {
  await expect(startScript(body, { scriptCpuMs: 60 })).rejects.toThrow(ScriptTimeoutError)
})

test('fuel ends a script at the same turn of its loop, whatever the time', async () => {
  const marks: unknown[] = []
  for (let i = 0; i < 2; i++) {
    const sandbox = await openScript(
      'let n = 0; try { for (;;) { n++; if (n % 100000 === 0) log(n) } } finally { log("never") }',
      { scriptCpuMs: 40 },
    )
    const error: unknown = await sandbox.deliver({ type: 'start' }).catch((e: unknown) => String(e))
    marks.push(error)
  }
  expect(marks[0]).toEqual(marks[1])
  // 80 polls of 10,000 jumps, two of them a turn: 390,000 pass, 410,000 do not.
  expect(await valueOf('let n = 0; while (n < 390000) n++; return n', { scriptCpuMs: 40 })).toBe(390_000)
  await expect(
    startScript('let n = 0; while (n < 410000) n++; return n', { scriptCpuMs: 40 }),
  ).rejects.toThrow(ScriptTimeoutError)
})

test('each stretch has fuel of its own, so waiting is free', async () => {
  const sandbox = await openScript(
    "for (let i = 0; i < 5; i++) { for (let n = 0; n < 300000; n++); await agent('a') }\nreturn 1",
    {
      scriptCpuMs: 40,
    },
  )
  await sandbox.deliver({ type: 'start' })
  for (let id = 1; id < 5; id++) await sandbox.deliver({ type: 'resolve', id, value: 0, spent: 0 })
  const { state } = await sandbox.deliver({ type: 'resolve', id: 5, value: 0, spent: 0 })
  expect(state).toEqual({ status: 'returned', value: 1 })
})

test('a built-in that the engine cannot count is ended from outside', async () => {
  await expect(startScript("Array(1e9) + ''", { scriptCpuMs: 10 })).rejects.toMatchObject({
    code: 'script-timeout',
    message: expect.stringContaining('built-in'),
  })
}, 15_000)

test.each([
  ['many small objects', 'const a = []; for (;;) a.push({ a: [a.length] })'],
  ['one long string', "'x'.repeat(50e6) + 'y'"],
  ['an array buffer', 'new ArrayBuffer(100e6)'],
  ['a long answer', "await agent('x'.repeat(20e6))"],
])('too much memory is an error that names the limit: %s', async (_, body) => {
  const error: unknown = await startScript(body, { scriptMemoryMiB: 16, scriptCpuMs: 20_000 }).catch(
    (e: unknown) => e,
  )
  expect(error).toBeInstanceOf(ScriptMemoryError)
  expect(error).toMatchObject({ code: 'script-memory', message: expect.stringContaining('16 MiB') })
})

test('a result too large for the script is a memory error, not a crash', async () => {
  const sandbox = await openScript("return (await agent('a')).length", { scriptMemoryMiB: 8 })
  await sandbox.deliver({ type: 'start' })
  const value = 'x'.repeat(40_000_000)
  await expect(sandbox.deliver({ type: 'resolve', id: 1, value, spent: 0 })).rejects.toThrow(
    ScriptMemoryError,
  )
})

test('a script that catches running out of memory goes on', async () => {
  const { state } = await startScript('try { new ArrayBuffer(100e6) } catch (e) { return e.message }', {
    scriptMemoryMiB: 16,
  })
  expect(state).toEqual({ status: 'returned', value: 'out of memory' })
})

test('a limit above the usual one is given', async () => {
  const body = "return 'x'.repeat(140e6).length"
  expect(await valueOf(body, { scriptMemoryMiB: 200 })).toBe(140_000_000)
  await expect(startScript(body, { scriptMemoryMiB: 128 })).rejects.toThrow(ScriptMemoryError)
})

test('throwing null is not taken for a full memory', async () => {
  expect(await errorOf('throw null')).toEqual({ name: 'Error', message: 'null was thrown' })
})

test('deep recursion of any kind is an error of the script', async () => {
  const deep = [
    'const f = () => f(); f()',
    'const o = { get x() { return this.x } }; o.x',
    'const p = new Proxy({}, { get: (t, k, r) => r[k] }); p.x',
    'const o = { toString() { return `${this}` } }; `${o}`',
    'const o = { valueOf() { return +this } }; +o',
    'let a = []; for (let i = 0; i < 1e5; i++) a = [a]; JSON.stringify(a)',
    "JSON.parse('['.repeat(1e5) + ']'.repeat(1e5))",
    'const a = []; a[0] = a; a.flat(Infinity)',
    "new RegExp('('.repeat(1e5) + ')'.repeat(1e5))",
    'class A { constructor() { new A() } }; new A()',
    'function* g() { yield* g() }; [...g()]',
    'const f = async () => { await f() }; await f()',
    'let b = () => 1; for (let i = 0; i < 1e5; i++) b = b.bind(null); b()',
    "let s = 'x'; const r = () => s.replace(/x/, r); r()",
    '[1].map(function f() { return [1].map(f) })',
    'const f = (x = f()) => x; f()',
  ]
  const value = await valueOf(
    `const out = []
     const attempts = [${deep.map(code => `async () => { ${code} }`).join(',\n')}]
     for (const attempt of attempts) { try { await attempt(); out.push('ended') } catch (e) { out.push(e.message) } }
     return out`,
    { scriptMemoryMiB: 64 },
  )
  expect(value).toHaveLength(deep.length)
  for (const message of value as string[])
    expect(message).toMatch(/stack overflow|out of memory|string too long|too many|ended/)
})

test('deep nesting of source text is an error of the script', async () => {
  for (const body of [
    `return ${'('.repeat(20_000)}1${')'.repeat(20_000)}`,
    `return ${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  ]) {
    expect(await errorOf(body)).toMatchObject({ message: expect.stringMatching(/stack overflow/) })
  }
})
