import { expect, test } from 'vitest'
import { errorOf, openScript, startScript, valueOf } from './script-run.ts'

test('what is not a prompt or not an options object goes out as null, for the host to refuse', async () => {
  const { effects } = await startScript(
    'agent(); agent(5); agent("a", null); agent("b", []); agent("c", "x"); agent("d", { label: undefined })\nawait new Promise(() => {})',
  )
  expect(effects.map(effect => effect.type === 'agent' && [effect.prompt, effect.options])).toEqual([
    [null, {}],
    [null, {}],
    ['a', null],
    ['b', null],
    ['c', null],
    ['d', {}],
  ])
})

test('agent.settled is marked, and the phase at the call goes along', async () => {
  const { effects } = await startScript(
    "agent('a'); phase('P1'); agent.settled('b'); phase('P2'); agent('c', { phase: 'P1' })\nawait new Promise(() => {})",
  )
  const calls = effects.filter(effect => effect.type === 'agent')
  expect(calls.map(({ settled, phase }) => [settled, phase])).toEqual([
    [false, undefined],
    [true, 'P1'],
    [false, 'P2'],
  ])
  expect(effects.filter(effect => effect.type === 'phase')).toEqual([
    { type: 'phase', path: '', title: 'P1' },
    { type: 'phase', path: '', title: 'P2' },
  ])
})

const UNFIT: [options: string, name: string, kind: string][] = [
  ['{ label: () => 1 }', 'label', 'a function'],
  ['{ label: Symbol("x") }', 'label', 'a symbol'],
  ['{ timeoutMs: 5n }', 'timeoutMs', 'a BigInt'],
  ['{ timeoutMs: Infinity }', 'timeoutMs', 'Infinity'],
  ['{ timeoutMs: NaN }', 'timeoutMs', 'NaN'],
  ['{ schema: { n: 1n } }', 'options.schema.n', 'BigInt'],
  ['(() => { const o = {}; o.self = o; return o })()', 'options.self', 'refers back'],
  ['{ get schema() { return { get x() { throw new Error("boo") } } } }', 'options.schema.x', 'boo'],
]

test('an option that JSON cannot hold rejects the call, with its name, and nothing leaves', async () => {
  const { effects, state } = await startScript(
    `const out = []
     for (const make of [${UNFIT.map(([options]) => `() => (${options})`).join(',\n')}]) {
       try { await agent('a', make()) } catch (e) { out.push([e.name, e.code, e instanceof Error, e.message]) }
     }
     return out`,
  )
  expect(effects).toEqual([])
  if (state.status !== 'returned') throw new Error('did not return')
  for (const [index, [, name, kind]] of UNFIT.entries()) {
    const [errorName, code, isError, message] = (state.value as unknown[][])[index] ?? []
    expect([errorName, code, isError]).toEqual(['WorkflowInputError', 'option-invalid', true])
    expect(message).toContain(name)
    expect(message).toContain(kind)
  }
})

test('a rejection from the host is a real error with everything it carries', async () => {
  const sandbox = await openScript(
    `try {
       await agent('a')
     } catch (e) {
       return [e instanceof Error, e.name, e.code, e.message, e.hint, e.lastText, e.issues, e.stack,
               e.cause instanceof TypeError, e.cause.message, String(e), Object.keys(e)]
     }`,
  )
  await sandbox.deliver({ type: 'start' })
  const { state } = await sandbox.deliver({
    type: 'reject',
    id: 1,
    spent: 0,
    error: {
      name: 'StructuredOutputError',
      code: 'schema-rejected',
      message: 'no valid object',
      hint: 'loosen the schema',
      cause: { name: 'TypeError', message: 'inner' },
      data: { lastText: 'text', issues: [{ path: '/a', message: 'missing' }] },
    },
  })
  expect(state).toEqual({
    status: 'returned',
    value: [
      true,
      'StructuredOutputError',
      'schema-rejected',
      'no valid object',
      'loosen the schema',
      'text',
      [{ path: '/a', message: 'missing' }],
      'at agent (workflow.js:3:14)',
      true,
      'inner',
      'StructuredOutputError: no valid object',
      ['lastText', 'issues', 'code', 'hint'],
    ],
  })
})

test('an uncaught rejection keeps its code and has the place of the call', async () => {
  const sandbox = await openScript("const x = 1\nawait agent('a')")
  await sandbox.deliver({ type: 'start' })
  const error = { name: 'AgentLimitError', code: 'agent-limit', message: 'cap of 2' }
  const { state } = await sandbox.deliver({ type: 'reject', id: 1, error, spent: 0 })
  expect(state).toEqual({ status: 'threw', error: { ...error, stack: 'at agent (workflow.js:3:7)' } })
})

test('the data of an error cannot replace its stack, cause or prototype', async () => {
  const sandbox = await openScript(
    "try { await agent('a') } catch (e) { return [typeof e.stack, 'cause' in e, e instanceof Error, e.x] }",
  )
  await sandbox.deliver({ type: 'start' })
  const data = JSON.parse('{ "stack": 1, "cause": 2, "__proto__": { "y": 1 }, "x": 3 }') as { x: number }
  const { state } = await sandbox.deliver({
    type: 'reject',
    id: 1,
    error: { name: 'E', message: 'm', data },
    spent: 0,
  })
  expect(state).toEqual({ status: 'returned', value: ['string', false, true, 3] })
})

test('workflow() sends its reference and its args', async () => {
  const { effects } = await startScript(
    "workflow('a'); workflow({ scriptPath: './b.js' }, { n: 1 }); workflow(); await new Promise(() => {})",
  )
  expect(effects).toMatchObject([
    { type: 'workflow', id: 1, ref: 'a', place: 'workflow.js:2:1' },
    { type: 'workflow', id: 2, ref: { scriptPath: './b.js' }, args: { n: 1 } },
    { type: 'workflow', id: 3, ref: null },
  ])
  expect(effects[0]).not.toHaveProperty('args')
})

test('args of a child that JSON cannot hold are refused', async () => {
  expect(await errorOf("await workflow('a', { f: 1n })")).toMatchObject({
    code: 'option-invalid',
    message: expect.stringContaining('args.f is a BigInt'),
  })
})

test('ask says that it is not there yet', async () => {
  expect(await errorOf("await ask('ok?')")).toMatchObject({
    message: expect.stringContaining('not available'),
  })
})

test('log prints like a person would, and console is the same', async () => {
  const { effects } = await startScript(
    `log('a', 1, null, undefined, true, { b: [1] }, 10n, new TypeError('t'), () => 1, Symbol('s'))
     console.error('e'); console.warn('w'); console.info('i'); console.debug('d'); console.log()
     const o = {}; o.o = o; log(o)
     log('x'.repeat(100000))`,
  )
  const messages = effects.map(effect => effect.type === 'log' && effect.message)
  expect(messages.slice(0, 7)).toEqual([
    'a 1 null undefined true {"b":[1]} 10n TypeError: t [function] Symbol(s)',
    'e',
    'w',
    'i',
    'd',
    '',
    '{"o":null}',
  ])
  expect(messages[7]).toHaveLength(65_537)
})

test('a phase without a title is refused', async () => {
  const { effects } = await startScript("await parallel([() => phase(), () => phase(''), () => phase(3)])")
  expect(effects).toHaveLength(3)
  for (const effect of effects) {
    expect(effect).toMatchObject({
      type: 'dropped',
      error: { name: 'TypeError', message: expect.stringContaining('phase()') },
    })
  }
})

test('no primitive that is not there pretends to be', async () => {
  const names = [
    'process',
    'require',
    'fetch',
    'Buffer',
    'setInterval',
    'setImmediate',
    'import_',
    'module',
    'exports',
    'Intl',
  ]
  expect(await valueOf(`return [${names.map(name => `typeof ${name}`).join()}]`)).toEqual(
    names.map(() => 'undefined'),
  )
})
