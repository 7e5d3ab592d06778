import type { AgentCall, AgentContext, AgentEvent, AgentExecutor, PermissionSource } from '@tutti/runtime'
import { expect, test } from 'vitest'
import { tellDenials } from '../../src/setup/tell-denials.ts'

const ruling = (allowed: boolean, source: PermissionSource, reason = 'no rule allows it'): AgentEvent => ({
  type: 'permission',
  tool: 'Bash',
  allowed,
  source,
  reason,
})

function executorOf(given: AgentEvent[]): AgentExecutor {
  return {
    backendOf: () => 'fake',
    capabilities: () => ({ schema: 'none', usage: 'none', maxTurns: false, isolation: false }),
    start: () => ({
      events: (async function* () {
        yield* given
      })(),
      result: new Promise(() => {}),
      cancel: () => {},
    }),
  }
}

async function told(events: AgentEvent[]): Promise<{ texts: string[]; passed: AgentEvent[] }> {
  const texts: string[] = []
  const passed: AgentEvent[] = []
  const executor = tellDenials(executorOf(events), text => texts.push(text))
  const { events: heard } = executor.start({ label: 'fix\u001b[2J' } as AgentCall, {} as AgentContext)
  for await (const event of heard) passed.push(event)
  return { texts, passed }
}

test('what was denied is told once, with who was denied it and why', async () => {
  const events = [ruling(false, 'nobody'), ruling(false, 'nobody'), ruling(false, 'rule', 'rule Bash(rm:*)')]
  const { texts, passed } = await told(events)
  expect(texts).toEqual(['denied  fix[2J: Bash: no rule allows it', 'denied  fix[2J: Bash: rule Bash(rm:*)'])
  expect(passed).toEqual(events)
})

test('what was allowed, and what a person denied, is not told', async () => {
  const { texts } = await told([ruling(true, 'rule'), ruling(false, 'person'), { type: 'activity' }])
  expect(texts).toEqual([])
})

test('no more than twenty are told', async () => {
  const { texts } = await told(Array.from({ length: 30 }, (_, i) => ruling(false, 'nobody', `reason ${i}`)))
  expect(texts).toHaveLength(20)
})
