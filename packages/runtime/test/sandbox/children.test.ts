import type { JsonValue } from '@tutti/protocol'
import { expect, test } from 'vitest'
import type { PumpResult, Sandbox } from '../../src/sandbox/types.ts'
import { META, openScript } from './script-run.ts'

interface Child {
  body: string
  args?: JsonValue
  name?: string
}

/** Hands in the script of the `workflow()` call with this id. */
function deliverChild(
  sandbox: Sandbox,
  id: number,
  { body, args, name = 'child' }: Child,
): Promise<PumpResult> {
  return sandbox.deliver({
    type: 'child',
    id,
    path: `${id}:${name}`,
    name,
    source: META + body,
    ...(args === undefined ? {} : { args }),
  })
}

const REPORT = `const report = e => e && { name: e.name, code: e.code, message: e.message, stack: e.stack,
  error: e instanceof Error, cause: report(e.cause) }\n`

test('the end of a child enters its parent in the same pump', async () => {
  const sandbox = await openScript("return ['parent', await workflow('child', { n: 1 })]")
  await sandbox.deliver({ type: 'start' })
  const { state } = await deliverChild(sandbox, 1, {
    body: 'return { got: args, list: [1] }',
    args: { n: 1 },
  })
  expect(state).toEqual({ status: 'returned', value: ['parent', { got: { n: 1 }, list: [1] }] })
})

test('the calls of a child carry its path, and ids are unique over all scripts', async () => {
  const sandbox = await openScript("const [x] = await Promise.all([workflow('c'), agent('p')]); return x")
  await sandbox.deliver({ type: 'start' })
  const { effects } = await deliverChild(sandbox, 1, {
    body: "log('in'); phase('P'); setTimeout(() => {}, 5); return await agent('c')",
  })
  expect(effects).toMatchObject([
    { type: 'log', path: '1:child' },
    { type: 'phase', path: '1:child', title: 'P' },
    { type: 'timer', path: '1:child', id: 3 },
    { type: 'agent', path: '1:child', id: 4, phase: 'P', place: 'child.js:2:62' },
  ])
  await sandbox.deliver({ type: 'resolve', id: 2, value: 'P', spent: 0 })
  const { state } = await sandbox.deliver({ type: 'resolve', id: 4, value: 'C', spent: 0 })
  expect(state).toEqual({ status: 'returned', value: 'C' })
})

test('effects of parent and child come in the order in which they happened', async () => {
  const sandbox = await openScript("log('p1'); await workflow('c'); log('p2')")
  expect((await sandbox.deliver({ type: 'start' })).effects).toMatchObject([
    { message: 'p1' },
    { type: 'workflow' },
  ])
  const { effects } = await deliverChild(sandbox, 1, { body: "log('c1'); await null; log('c2')" })
  expect(effects).toMatchObject([{ message: 'c1' }, { message: 'c2' }, { message: 'p2' }])
})

test('an error in a child arrives as ChildWorkflowError with the original as cause', async () => {
  const sandbox = await openScript(`${REPORT}try { await workflow('c') } catch (e) { return report(e) }`)
  await sandbox.deliver({ type: 'start' })
  const { state } = await deliverChild(sandbox, 1, {
    body: "throw Object.assign(new RangeError('E1'), { code: 'MY_CODE' })",
  })
  expect(state).toEqual({
    status: 'returned',
    value: {
      name: 'ChildWorkflowError',
      code: 'child-failed',
      message: 'The workflow "child" failed: E1',
      stack: 'at workflow (workflow.js:4:13)',
      error: true,
      cause: { name: 'RangeError', code: 'MY_CODE', message: 'E1', stack: 'at child.js:2:21', error: true },
    },
  })
})

test('everything a child can end with reaches its parent', async () => {
  const sandbox = await openScript(
    `${REPORT}const ends = []
     for (let i = 0; i < 7; i++) try { ends.push(await workflow('c')) } catch (e) { ends.push(report(e).cause) }
     return ends`,
  )
  await sandbox.deliver({ type: 'start' })
  const bodies = [
    'let x = (;',
    "throw 'text'",
    'return undefined',
    'return { n: 1n, ok: 1 }',
    "agent('lost', { f: 1n }); await new Promise(() => {})",
    'setTimeout(1)',
    "return await workflow('deeper')",
  ]
  let id = 1
  let last: PumpResult | undefined
  for (const body of bodies) {
    last = await deliverChild(sandbox, id, { body })
    id = last.effects.findLast(effect => effect.type === 'workflow')?.id ?? id
  }
  expect(last?.state).toMatchObject({
    status: 'returned',
    value: [
      { name: 'SyntaxError', stack: expect.stringContaining('child.js:2:') },
      { name: 'Error', message: 'text' },
      null,
      { n: null, ok: 1 },
      { name: 'ScriptError', code: 'unhandled-rejection' },
      { name: 'TypeError' },
      { name: 'Error', message: expect.stringContaining('one level') },
    ],
  })
})

test('a run-level error crosses from a child as itself', async () => {
  const sandbox = await openScript("return await parallel([() => workflow('c')])")
  await sandbox.deliver({ type: 'start' })
  const { effects } = await deliverChild(sandbox, 1, { body: "await agent('a')" })
  expect(effects).toMatchObject([{ type: 'agent', id: 2 }])
  const error = { name: 'BudgetError', code: 'budget', message: 'spent' }
  const { state } = await sandbox.deliver({ type: 'reject', id: 2, error, spent: 0 })
  expect(state).toMatchObject({ status: 'threw', error })
})

test('a child cannot forge a run-level error', async () => {
  const sandbox = await openScript("return await parallel([() => workflow('c')])")
  await sandbox.deliver({ type: 'start' })
  const { state } = await deliverChild(sandbox, 1, {
    body: "throw Object.assign(new Error('x'), { code: 'run-stopped' })",
  })
  expect(state).toEqual({ status: 'returned', value: [null] })
})

test('a child that could not start rejects the call', async () => {
  const sandbox = await openScript("try { await workflow('nope') } catch (e) { return [e.name, e.code] }")
  await sandbox.deliver({ type: 'start' })
  const error = { name: 'WorkflowNotFoundError', code: 'workflow-not-found', message: 'known: a, b' }
  const { state } = await sandbox.deliver({ type: 'reject', id: 1, error, spent: 0 })
  expect(state).toEqual({ status: 'returned', value: ['WorkflowNotFoundError', 'workflow-not-found'] })
})

test('a child has globals of its own, the same run, and the budget of all', async () => {
  const sandbox = await openScript(
    "globalThis.mark = 1; Array.prototype.map = null; await agent('a'); return await workflow('c')",
    { budgetTotal: 50 },
  )
  await sandbox.deliver({ type: 'start' })
  await sandbox.deliver({ type: 'resolve', id: 1, value: null, spent: 20 })
  const { state } = await deliverChild(sandbox, 2, {
    body: 'return [typeof mark, [1].map(x => x), run.id, budget.remaining(), typeof args, meta.name]',
  })
  expect(state).toEqual({
    status: 'returned',
    value: ['undefined', [1], 'wf_00000000-000', 30, 'undefined', 'test'],
  })
})

test('an ended child takes nothing in any more', async () => {
  const sandbox = await openScript("await workflow('c'); return await agent('p')")
  await sandbox.deliver({ type: 'start' })
  const { effects } = await deliverChild(sandbox, 1, {
    body: "agent('late').then(() => log('never')); return 1",
  })
  expect(effects).toMatchObject([
    { type: 'agent', id: 2, path: '1:child' },
    { type: 'agent', id: 3, path: '' },
  ])
  expect(await sandbox.deliver({ type: 'resolve', id: 2, value: 1, spent: 0 })).toEqual({
    effects: [],
    state: { status: 'waiting' },
  })
})

test('a child of the same name as the top script has frames of its own', async () => {
  const sandbox = await openScript("try { await workflow('c') } catch (e) { return e.cause.stack }")
  await sandbox.deliver({ type: 'start' })
  const { state } = await deliverChild(sandbox, 1, { body: "throw new Error('x')", name: 'workflow' })
  expect(state).toEqual({ status: 'returned', value: 'at child-workflow.js:2:7' })
})
