import { fc, test } from '@fast-check/vitest'
import type { JsonObject } from '@tutti/protocol'
import { describe, expect } from 'vitest'
import { createDeskStage, script, type DeskStage } from './support/desk-stage.ts'

const SCRIPTS: Record<string, string> = {
  quick: script(`return parallel([1, 2].map(n => () => agent('x' + n, { label: 'quick' + n })))`, 'quick'),
  slow: script(`return agent('x', { label: 'slow' })`, 'slow'),
  hanging: script(`return parallel([1, 2, 3].map(n => () => agent('x' + n, { label: 'hang' })))`, 'hanging'),
  failing: script(`await agent('x', { label: 'quick' }); throw new Error('no')`, 'failing'),
  paused: script(`return agent('x', { label: 'quota' })`, 'paused'),
  broken: 'return 1',
}

const TABLE = {
  slow: { ok: 1, afterMs: 700 },
  hang: { hang: true },
  quota: { die: 'quota' },
  '*': { ok: 1 },
} as const

const step = fc.oneof(
  fc.record({ do: fc.constant('launch' as const), what: fc.constantFrom(...Object.keys(SCRIPTS)) }),
  fc.record({ do: fc.constantFrom('stopTask' as const, 'TaskStop' as const), nth: fc.nat(3) }),
  fc.record({ do: fc.constant('stopAll' as const) }),
  fc.record({ do: fc.constant('advance' as const), ms: fc.nat(1500) }),
  fc.record({ do: fc.constant('announce' as const) }),
)

async function perform(
  stage: DeskStage,
  one: typeof step extends fc.Arbitrary<infer T> ? T : never,
): Promise<void> {
  const { desk, clock, use } = stage
  const taskId = 'nth' in one ? (desk.running[one.nth]?.taskId ?? 'w00000000') : ''
  if (one.do === 'launch') await use('Workflow', { script: SCRIPTS[one.what] ?? '' })
  else if (one.do === 'stopTask') await settle(stage, desk.stopTask(taskId, 'why not'))
  else if (one.do === 'TaskStop') await settle(stage, use('TaskStop', { task_id: taskId }))
  else if (one.do === 'stopAll') await settle(stage, desk.stopAll('enough'))
  else if (one.do === 'advance') await clock.advance(one.ms)
  else desk.announceTasks()
}

/** Time goes on while something is waited for. */
async function settle({ clock }: DeskStage, promise: Promise<unknown>): Promise<void> {
  let settled = false
  void promise.finally(() => (settled = true))
  while (!settled) await clock.advance(50)
}

describe('whatever happens in a session', () => {
  test.prop([fc.array(step, { minLength: 2, maxLength: 8 }), fc.constantFrom('codebuddy', 'claude-code')], {
    numRuns: 12,
  })(
    'the frames keep their order, every run ends once, and nothing is left',
    async (steps, dialect) => {
      const stage = createDeskStage({ table: TABLE, dialect: dialect as 'codebuddy' })
      try {
        for (const one of steps) await perform(stage, one)
        await settle(stage, stage.desk.stopAll('the end'))
        await settle(stage, stage.desk.idle())
        stage.check()
        const started = stage.order().filter(name => name === 'task_started').length
        expect(stage.ended).toHaveLength(started)
        expect(stage.desk.running).toEqual([])
        expect(stage.warnings).toEqual([])
      } finally {
        await stage.remove()
      }
    },
    120_000,
  )

  test.prop([
    fc.dictionary(
      fc.constantFrom('script', 'name', 'scriptPath', 'args', 'resumeFromRunId', 'x'),
      fc.jsonValue(),
    ),
  ])(
    'an input that is none is answered, and nothing is made',
    async input => {
      const stage = createDeskStage()
      try {
        const { failed, content } = await stage.use('Workflow', input as JsonObject)
        expect(failed).toBe(true)
        expect(content).not.toBe('')
        expect(stage.frames).toEqual([])
      } finally {
        await stage.remove()
      }
    },
    60_000,
  )
})
