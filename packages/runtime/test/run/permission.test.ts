import { expect, it } from 'vitest'
import type { AgentExecutor, PermissionAnswer } from '../../src/ports/agent-executor.ts'
import { createRuntime } from '../../src/run/create-runtime.ts'
import type { RuntimeOptions } from '../../src/run/types.ts'
import { noUsage } from '../../src/run/run-state.ts'
import { createMemoryStore, createVirtualClock } from '../../src/testing/index.ts'
import { script } from '../support/stage.ts'

/** Answers with what it was told about its wish. */
const wishful: AgentExecutor = {
  backendOf: () => 'wishful',
  capabilities: () => ({ schema: 'loop', usage: 'none', maxTurns: false, isolation: false }),
  start: (_, context) => ({
    events: (async function* () {})(),
    result: (async () => {
      const answer = await context.permission?.({ tool: 'Bash', input: { command: 'make' } })
      return { status: 'ok', value: answer?.reason ?? 'nobody', usage: noUsage(), effects: 'none' }
    })(),
    cancel: () => {},
  }),
}

async function valueWith(
  permission?: RuntimeOptions['permission'],
  options: Partial<RuntimeOptions> = {},
): Promise<unknown> {
  const runtime = createRuntime({
    executor: wishful,
    store: createMemoryStore(),
    ...(permission && { permission }),
    ...options,
  })
  const run = await runtime.launch({ source: script(`return await agent('p', { label: 'maker' })`) })
  return (await run.result).value
}

it('an agent can ask a person, who is told which agent asks', async () => {
  const value = await valueWith(async ({ tool, input }, { runId, index, label }) => ({
    allowed: true,
    reason: JSON.stringify([tool, input, runId.startsWith('wf_'), index, label]),
  }))
  expect(value).toBe('["Bash",{"command":"make"},true,1,"maker"]')
})

it('without anybody there it cannot', async () => {
  expect(await valueWith()).toBe('nobody')
})

it('an agent that waits for its answer is not taken for a stalled one', async () => {
  const clock = createVirtualClock()
  let answer: ((answer: PermissionAnswer) => void) | undefined
  let asked = 0
  const ask: RuntimeOptions['permission'] = () => {
    asked++
    return new Promise(resolve => (answer = resolve))
  }
  const value = valueWith(ask, { clock, stallMs: 1000 })
  while (answer === undefined) await new Promise(resolve => setImmediate(resolve))
  await clock.advance(5000)
  answer({ allowed: true, reason: 'late' })
  expect(await value).toBe('late')
  expect(asked).toBe(1)
})

it('is told when its question needs no answer any more', async () => {
  let asked: AbortSignal | undefined
  const runtime = createRuntime({
    executor: wishful,
    store: createMemoryStore(),
    permission: (_, { signal }) => {
      asked = signal
      return new Promise(() => {})
    },
  })
  const run = await runtime.launch({ source: script(`return await agent('p')`) })
  while (asked === undefined) await new Promise(resolve => setImmediate(resolve))
  expect(asked.aborted).toBe(false)
  await run.stop()
  expect(asked.aborted).toBe(true)
})
