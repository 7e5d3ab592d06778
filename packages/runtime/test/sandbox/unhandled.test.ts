import { expect, test } from 'vitest'
import { openScript, startScript, type AgentEffect } from './script-run.ts'

const FAILURE = { name: 'StructuredOutputError', code: 'schema-rejected', message: 'bad object' }

async function afterRejection(body: string): Promise<unknown> {
  const sandbox = await openScript(body)
  await sandbox.deliver({ type: 'start' })
  return (await sandbox.deliver({ type: 'reject', id: 1, error: FAILURE, spent: 0 })).state
}

test('a rejection that nobody handles fails the run with its message and the place of the call', async () => {
  expect(await afterRejection("const n = 1\nagent('a')\nawait agent('b')")).toEqual({
    status: 'threw',
    error: {
      name: 'ScriptError',
      code: 'unhandled-rejection',
      message: 'agent() rejected and nobody handled it: bad object',
      hint: expect.any(String),
      stack: 'at agent (workflow.js:3:1)',
      cause: { ...FAILURE, stack: 'at agent (workflow.js:3:1)' },
    },
  })
})

test.each([
  "agent('a').then(x => x); await agent('b')",
  "agent('a').then(x => x).then(x => x); await agent('b')",
  "agent('a').finally(() => {}); await agent('b')",
  "agent.settled('a'); await agent('b')",
])('a chain that takes no rejection is not handled: %s', async body => {
  expect(await afterRejection(body)).toMatchObject({
    status: 'threw',
    error: { code: 'unhandled-rejection' },
  })
})

const HANDLED = [
  "try { await agent('a') } catch {}; await agent('b')",
  "agent('a').catch(() => {}); await agent('b')",
  "agent('a').then(() => {}, () => {}); await agent('b')",
  "agent('a').then(x => x).finally(() => {}).catch(() => {}); await agent('b')",
  "await Promise.allSettled([agent('a'), agent('b')])",
  "await Promise.race([agent('a'), agent('b')]).catch(() => agent('c'))",
  "await Promise.all([agent('a'), agent('b')]).catch(() => agent('c'))",
  "await Promise.any([agent('a'), agent('b')])",
  "await parallel([() => agent('a'), () => agent('b')])",
  "const f = async () => agent('a'); try { await f() } catch {}; await agent('b')",
  "for await (const x of (async function* () { try { yield agent('a') } catch { yield 1 } })()) await agent('b')",
]

test('awaiting, catching and every combinator handle a rejection', async () => {
  const sandbox = await openScript(
    `for (const start of [${HANDLED.map(code => `async () => { ${code} }`).join(',\n')}]) { void start(); await agent('next') }`,
  )
  let { effects } = await sandbox.deliver({ type: 'start' })
  for (const code of HANDLED) {
    const [failing, next] = ['a', 'next'].map(
      prompt => effects.find(effect => effect.type === 'agent' && effect.prompt === prompt) as AgentEffect,
    )
    const rejected = await sandbox.deliver({ type: 'reject', id: failing!.id, error: FAILURE, spent: 0 })
    expect([code, rejected.state]).toEqual([code, { status: 'waiting' }])
    effects = (await sandbox.deliver({ type: 'resolve', id: next!.id, value: null, spent: 0 })).effects
  }
})

test('a rejection that is the end of the script is that error, not an unhandled one', async () => {
  expect(await afterRejection("const p = agent('a'); await p")).toMatchObject({
    status: 'threw',
    error: FAILURE,
  })
})

test('a run-level error that nobody handles is the end of the run as it is', async () => {
  const sandbox = await openScript("agent('a'); await agent('b')")
  await sandbox.deliver({ type: 'start' })
  const error = { name: 'BudgetError', code: 'budget', message: 'spent' }
  const { state } = await sandbox.deliver({ type: 'reject', id: 1, error, spent: 0 })
  expect(state).toMatchObject({ status: 'threw', error })
})

test.each(['parallel(1)', "workflow('a', 1n)"])(
  'a refused %s that nobody awaits fails even a script that has returned',
  async call => {
    const { state } = await startScript(`${call}\nreturn 1`)
    expect(state).toMatchObject({ status: 'threw', error: { code: 'unhandled-rejection' } })
  },
)

test('promises of primitives are promises', async () => {
  const { state } = await startScript(
    "const p = agent('a'); return [p instanceof Promise, typeof p.then, typeof p.catch, Object.prototype.toString.call(p), Object.keys(p)]",
  )
  expect(state).toEqual({ status: 'returned', value: [true, 'function', 'function', '[object Promise]', []] })
})
