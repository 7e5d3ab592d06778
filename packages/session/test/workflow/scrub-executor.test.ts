import type { JsonObject } from '@tutti/protocol'
import type { AgentCall, AgentContext, AgentEvent, AgentExecutor, AgentOutcome } from '@tutti/runtime'
import { expect, test } from 'vitest'
import { createScrubber } from '../../src/output/secrets.ts'
import { scrubExecutor } from '../../src/workflow/scrub-executor.ts'

const SECRET = 'planted-9f3c1d'
const scrub = createScrubber({ SERVICE_TOKEN: SECRET })
const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, toolUses: 0, durationMs: 0 }
const call = {} as AgentCall

function executorOf(result: () => Promise<AgentOutcome>, written: JsonObject[] = []): AgentExecutor {
  async function* events(): AsyncGenerator<AgentEvent> {
    yield { type: 'tool_start', name: 'Bash', summary: `echo ${SECRET}` }
  }
  return scrubExecutor(
    {
      backendOf: () => 'one',
      capabilities: () => ({ schema: 'loop', usage: 'exact', maxTurns: true, isolation: true }),
      start(_call, context) {
        context.transcript({ said: [SECRET] })
        return { events: events(), result: result(), cancel: reason => void written.push({ reason }) }
      },
    },
    scrub,
  )
}

test('what an agent tells and writes down holds no secret', async () => {
  const written: JsonObject[] = []
  const context: AgentContext = {
    signal: new AbortController().signal,
    transcript: line => void written.push(line),
  }
  const executor = executorOf(() => Promise.resolve({ status: 'ok', value: SECRET, usage, effects: 'none' }))
  const execution = executor.start(call, context)
  const told = []
  for await (const event of execution.events) told.push(event)
  expect(told).toEqual([{ type: 'tool_start', name: 'Bash', summary: 'echo [redacted]' }])
  expect(written).toEqual([{ said: ['[redacted]'] }])
  expect(await execution.result).toMatchObject({ value: SECRET })
})

test('why an agent failed holds no secret, nor anything like a key', async () => {
  const failure: AgentOutcome = {
    status: 'failed',
    cause: 'invalid_request',
    message: `no access for ${SECRET} with sk-ant-0123456789`,
    lastText: `it is ${SECRET}`,
    usage,
    effects: 'none',
  }
  const context: AgentContext = { signal: new AbortController().signal, transcript: () => {} }
  const outcome = await executorOf(() => Promise.resolve(failure)).start(call, context).result
  expect(outcome).toMatchObject({
    message: 'no access for [redacted] with [redacted]',
    lastText: 'it is [redacted]',
  })
  const broken = executorOf(() => Promise.reject(new Error(`lost ${SECRET}`))).start(call, context)
  await expect(broken.result).rejects.toThrow('lost [redacted]')
})

test('the rest is the executor underneath', () => {
  const written: JsonObject[] = []
  const executor = executorOf(() => new Promise(() => {}), written)
  const context: AgentContext = { signal: new AbortController().signal, transcript: () => {} }
  executor.start(call, context).cancel('enough')
  expect(written).toEqual([{ reason: 'enough' }])
  expect(executor.backendOf({} as never)).toBe('one')
  expect(executor.capabilities('one')).toMatchObject({ schema: 'loop' })
})
