import { expect, test } from 'vitest'
import { errorOf, openScript, runScript, startScript, valueOf } from './script-run.ts'

test('parallel starts all thunks at once, in order, and keeps the input order', async () => {
  const sandbox = await openScript("return await parallel(['a', 'b', 'c'].map(x => () => agent(x)))")
  const { effects } = await sandbox.deliver({ type: 'start' })
  expect(effects.map(effect => effect.type === 'agent' && effect.prompt)).toEqual(['a', 'b', 'c'])
  await sandbox.deliver({ type: 'resolve', id: 3, value: 'C', spent: 0 })
  await sandbox.deliver({ type: 'resolve', id: 1, value: 'A', spent: 0 })
  const { state } = await sandbox.deliver({ type: 'resolve', id: 2, value: 'B', spent: 0 })
  expect(state).toEqual({ status: 'returned', value: ['A', 'B', 'C'] })
})

test('a thunk that throws or rejects gives null and is recorded with its place', async () => {
  const { effects, state } = await startScript(
    `return await parallel([
       () => 1,
       () => { throw new Error('sync') },
       async () => { throw 'text' },
       () => undefined,
     ])`,
  )
  expect(state).toEqual({ status: 'returned', value: [1, null, null, null] })
  expect(effects).toEqual([
    {
      type: 'dropped',
      path: '',
      kind: 'thunk',
      index: 1,
      error: { name: 'Error', message: 'sync', stack: expect.stringMatching(/^at workflow\.js:4:22/) },
    },
    { type: 'dropped', path: '', kind: 'thunk', index: 2, error: { name: 'Error', message: 'text' } },
  ])
})

test('run-level errors cross parallel and pipeline', async () => {
  const sandbox = await openScript(
    `const seen = []
     for (const start of [() => parallel([() => agent('a'), () => 2]), () => pipeline([1], () => agent('b')), () => parallel([() => agent('c')])]) {
       try { await start() } catch (e) { seen.push(e.code) }
     }
     return seen`,
  )
  await sandbox.deliver({ type: 'start' })
  const codes = ['agent-limit', 'budget', 'run-stopped']
  let last
  for (const [index, code] of codes.entries()) {
    last = await sandbox.deliver({
      type: 'reject',
      id: index + 1,
      error: { name: 'E', code, message: 'm' },
      spent: 0,
    })
    expect(last.effects.filter(effect => effect.type === 'dropped')).toEqual([])
  }
  expect(last?.state).toEqual({ status: 'returned', value: codes })
})

test('an error that only looks run-level does not cross', async () => {
  const { state } = await startScript(
    "return await parallel([() => { throw Object.assign(new Error('x'), { code: 'budget' }) }])",
  )
  expect(state).toEqual({ status: 'returned', value: [null] })
})

test('an error of an agent that is not run-level is dropped', async () => {
  const sandbox = await openScript("return await parallel([() => agent('a'), () => 2])")
  await sandbox.deliver({ type: 'start' })
  const error = { name: 'StructuredOutputError', code: 'schema-rejected', message: 'bad' }
  const { state, effects } = await sandbox.deliver({ type: 'reject', id: 1, error, spent: 0 })
  expect(state).toEqual({ status: 'returned', value: [null, 2] })
  expect(effects).toMatchObject([{ type: 'dropped', index: 0, error }])
})

const REFUSED: [call: string, ...parts: string[]][] = [
  ["parallel([agent('a')])", 'entry 0', 'function', 'promise', '() =>'],
  ['parallel([() => 1, Promise.resolve()])', 'entry 1', 'promise'],
  ['parallel([() => 1, "x"])', 'entry 1', 'a string'],
  ['parallel("x")', 'array', 'a string'],
  ['parallel()', 'array', 'undefined'],
  ['parallel({ length: 1 })', 'array', 'an object'],
  ["pipeline('[1,2]', x => x)", 'array', 'a string'],
  ['pipeline(null, x => x)', 'array', 'null'],
  ['pipeline([1], x => x, 5)', 'stage 1', 'a number'],
  ["pipeline([1], agent('a'))", 'stage 0', 'a promise', 'item =>'],
]

test('anything but functions and arrays is refused with the reason, as a rejection', async () => {
  const { effects, state } = await startScript(
    `const out = []
     for (const call of [${REFUSED.map(([call]) => `() => ${call}`).join(',\n')}]) {
       await call().catch(e => out.push([e.name, e instanceof TypeError, e.message]))
     }
     return out`,
  )
  if (state.status !== 'returned') throw new Error('did not return')
  for (const [index, [, ...parts]] of REFUSED.entries()) {
    const [name, isTypeError, message] = (state.value as unknown[][])[index] ?? []
    expect([name, isTypeError]).toEqual(['TypeError', true])
    for (const part of parts) expect(message).toContain(part)
  }
  expect(effects.filter(effect => effect.type === 'dropped')).toEqual([])
})

test('too many entries are refused with the limit', async () => {
  const limits = { entries: 3 }
  expect(await errorOf('await parallel([1,2,3,4].map(x => () => x))', limits)).toMatchObject({
    name: 'RangeError',
    message: expect.stringMatching(/3 entries, not 4/),
  })
  expect(await errorOf('await pipeline([1,2,3,4], x => x)', limits)).toMatchObject({ name: 'RangeError' })
  expect(await valueOf('return await parallel([1,2,3].map(x => () => x))', limits)).toEqual([1, 2, 3])
})

test('empty lists end at once, and a pipeline without stages gives its items', async () => {
  expect(
    await valueOf('return [await parallel([]), await pipeline([], x => x), await pipeline([1, 2])]'),
  ).toEqual([[], [], [1, 2]])
})

test('pipeline has no barrier and hands (previous, item, index) on', async () => {
  const sandbox = await openScript(
    `const order = []
     const out = await pipeline(['slow', 'fast'],
       async x => { await agent(x + 1); order.push(x + 1); return x + 1 },
       async (p, x, i) => { await agent(x + 2); order.push(x + 2); return [p, x, i] })
     return { order, out }`,
  )
  await sandbox.deliver({ type: 'start' })
  await sandbox.deliver({ type: 'resolve', id: 2, value: 0, spent: 0 })
  await sandbox.deliver({ type: 'resolve', id: 3, value: 0, spent: 0 })
  await sandbox.deliver({ type: 'resolve', id: 1, value: 0, spent: 0 })
  const { state } = await sandbox.deliver({ type: 'resolve', id: 4, value: 0, spent: 0 })
  expect(state).toEqual({
    status: 'returned',
    value: {
      order: ['fast1', 'fast2', 'slow1', 'slow2'],
      out: [
        ['slow1', 'slow', 0],
        ['fast1', 'fast', 1],
      ],
    },
  })
})

test('a stage that throws makes its item null and skips the rest; null passes on', async () => {
  const { effects, state } = await startScript(
    `const seen = []
     const out = await pipeline([1, 2, null],
       x => { if (x === 2) throw new RangeError('no'); return x },
       (p, item, i) => { seen.push(p); return [p, item, i] })
     return { out, seen }`,
  )
  expect(state).toEqual({
    status: 'returned',
    value: { out: [[1, 1, 0], null, [null, null, 2]], seen: [1, null] },
  })
  expect(effects).toMatchObject([
    { type: 'dropped', kind: 'stage', index: 1, error: { name: 'RangeError', message: 'no' } },
  ])
})

test('what an entry does to the list while it runs changes nothing', async () => {
  expect(
    await valueOf('const list = [() => { list.length = 0; return 1 }, () => 2]\nreturn await parallel(list)'),
  ).toEqual([1, 2])
})

test('a thousand agents in parallel', async () => {
  const { state } = await runScript(
    "return (await parallel(Array.from({ length: 1000 }, (_, i) => () => agent('p' + i)))).length",
    () => 'ok',
  )
  expect(state).toEqual({ status: 'returned', value: 1000 })
})
