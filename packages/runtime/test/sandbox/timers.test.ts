import { expect, test } from 'vitest'
import { errorOf, openScript, startScript } from './script-run.ts'

test('a timer fires when it is delivered, with its extra arguments', async () => {
  const sandbox = await openScript(
    'return await new Promise((resolve) => setTimeout((a, b) => resolve([a, b]), 250.9, 1, 2))',
  )
  expect(await sandbox.deliver({ type: 'start' })).toEqual({
    effects: [{ type: 'timer', id: 1, path: '', delayMs: 250 }],
    state: { status: 'waiting' },
  })
  const { state } = await sandbox.deliver({ type: 'resolve', id: 1, value: null, spent: 0 })
  expect(state).toEqual({ status: 'returned', value: [1, 2] })
})

test('any delay becomes a whole number of milliseconds', async () => {
  const { effects } = await startScript(
    "for (const d of [undefined, -5, NaN, '7', 1e12, Infinity, 0.5]) setTimeout(() => {}, d)\nawait new Promise(() => {})",
  )
  expect(effects.map(effect => effect.type === 'timer' && effect.delayMs)).toEqual([
    0, 0, 0, 7, 2_147_483_647, 2_147_483_647, 0,
  ])
})

test('a cleared timer says so and does not fire; clearing anything else does nothing', async () => {
  const sandbox = await openScript(
    "agent('a'); const t = setTimeout(() => log('fired'), 5); clearTimeout(1); clearTimeout(t); clearTimeout(t); clearTimeout('x'); clearTimeout()\nawait new Promise(() => {})",
  )
  const { effects } = await sandbox.deliver({ type: 'start' })
  expect(effects).toMatchObject([
    { type: 'agent', id: 1 },
    { type: 'timer', id: 2 },
    { type: 'timer-cleared', id: 2, path: '' },
  ])
  expect((await sandbox.deliver({ type: 'resolve', id: 2, value: null, spent: 0 })).effects).toEqual([])
})

test('what a callback throws fails the script', async () => {
  const sandbox = await openScript(
    "setTimeout(() => { throw new Error('tick') }, 1)\nawait new Promise(() => {})",
  )
  await sandbox.deliver({ type: 'start' })
  const { state } = await sandbox.deliver({ type: 'resolve', id: 1, value: null, spent: 0 })
  expect(state).toMatchObject({ status: 'threw', error: { message: 'tick', stack: 'at workflow.js:2:26' } })
  expect(
    await errorOf("queueMicrotask(() => { throw new Error('micro') })\nawait new Promise(() => {})"),
  ).toMatchObject({
    message: 'micro',
  })
})

test('a timer after the end is nothing', async () => {
  const { effects, state } = await startScript(
    'Promise.resolve().then(() => null).then(() => null).then(() => null).then(() => null).then(() => setTimeout(() => {}, 1)); return 1',
  )
  expect(effects).toEqual([])
  expect(state).toEqual({ status: 'returned', value: 1 })
})

test('a callback that is no function is refused', async () => {
  const { effects } = await startScript(
    "await parallel([() => setTimeout(), () => setTimeout('code', 1), () => queueMicrotask()])",
  )
  expect(effects).toMatchObject([0, 1, 2].map(index => ({ index, error: { name: 'TypeError' } })))
})
