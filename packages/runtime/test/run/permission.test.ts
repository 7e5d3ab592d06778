import { expect, it } from 'vitest'
import type { AgentExecutor } from '../../src/ports/agent-executor.ts'
import { createRuntime } from '../../src/run/create-runtime.ts'
import { noUsage } from '../../src/run/run-state.ts'
import { createMemoryStore } from '../../src/testing/index.ts'
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

async function valueWith(permission?: Parameters<typeof createRuntime>[0]['permission']): Promise<unknown> {
  const runtime = createRuntime({
    executor: wishful,
    store: createMemoryStore(),
    ...(permission && { permission }),
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
