import type { JsonObject } from '@tutti/protocol'
import { describe, expect, it } from 'vitest'
import { script, type DeskStageOptions } from './support/desk-stage.ts'
import { deskStages } from './support/stages.ts'

const stages = deskStages()
const { open } = stages

const TWO = script(
  `return parallel([() => agent('x', { label: 'slow' }), () => agent('y', { label: 'quick' })])`,
  'two',
  `phases: ['Work']`,
)

async function running(table: DeskStageOptions['table']): Promise<string> {
  const { launch, agentsAtWork } = open({ table })
  const { taskId } = await launch({ script: TWO })
  await agentsAtWork(taskId, 2)
  return taskId
}

function ask(subtype: string, fields: JsonObject): Promise<JsonObject | undefined> {
  return stages.last.desk.control({ subtype, ...fields })
}

describe('control of a task', () => {
  it('skips an agent by label or index', async () => {
    const task_id = await running({ '*': { hang: true } })
    expect(await ask('x_tutti_skip_agent', { task_id, agent: 'slow' })).toEqual({})
    expect(await ask('x_tutti_skip_agent', { task_id, agent: 2 })).toEqual({})
    await stages.last.finish()
    expect(stages.last.ended[0]?.end.record.census).toMatchObject({ total: 2, skipped: 2 })
  })

  it('begins another try of an agent', async () => {
    const task_id = await running({ '*': { hang: true } })
    expect(await ask('x_tutti_retry_agent', { task_id, agent: 'slow', continue: false })).toEqual({})
    const attempts = (): unknown =>
      stages.last.desk.running[0]
        ?.snapshot()
        .progress.flatMap(row => (row.type === 'workflow_agent' ? [row.attempt] : []))
    while (JSON.stringify(attempts()) !== '[2,1]') await stages.last.clock.advance(1)
  })

  it('tells the state of a running and of an ended task', async () => {
    const task_id = await running({ '*': { hang: true } })
    const state = await ask('x_tutti_task_state', { task_id })
    expect(state).toMatchObject({
      task_id,
      tool_use_id: 'toolu_1',
      workflow_name: 'two',
      description: 'About two',
      status: 'running',
      attempt: 1,
      limits: { concurrency: expect.any(Number) },
      workflow_progress: [
        { type: 'workflow_phase', title: 'Work' },
        { type: 'workflow_agent', label: 'slow', state: 'start' },
        { type: 'workflow_agent', label: 'quick', state: 'start' },
      ],
    })
    expect(JSON.stringify(state)).not.toMatch(/transcriptId|"key"/)
    await stages.last.desk.stopAll('enough')
    expect(await ask('x_tutti_task_state', { task_id })).toMatchObject({ status: 'killed' })
    await stages.last.finish()
    expect(await ask('x_tutti_task_state', { task_id })).toMatchObject({
      status: 'killed',
      end_time: expect.any(Number),
      output_file: expect.stringContaining('.output.json'),
    })
  })

  it('announces what it answers, and says of the rest what to do instead', async () => {
    const task_id = await running({ '*': { hang: true } })
    expect(stages.last.desk.capabilities).toEqual([
      'x_tutti_task_state',
      'x_tutti_skip_agent',
      'x_tutti_retry_agent',
    ])
    for (const name of ['pause_task', 'resume_task', 'raise_limits', 'answer']) {
      expect(stages.last.desk.capabilities).not.toContain(`x_tutti_${name}`)
      await expect(ask(`x_tutti_${name}`, { task_id })).rejects.toThrow(`x_tutti_${name}: `)
    }
  })

  it('leaves other requests alone', async () => {
    open()
    for (const subtype of ['interrupt', 'x_tutti_unheard_of', 'toString']) {
      expect(await ask(subtype, {})).toBeUndefined()
    }
  })

  it('refuses what it cannot do', async () => {
    const task_id = await running({ '*': { hang: true } })
    const refusals: [string, JsonObject, string][] = [
      ['x_tutti_skip_agent', { task_id: 'w0', agent: 1 }, 'there is no task "w0"'],
      ['x_tutti_skip_agent', { agent: 1 }, 'task_id must be'],
      ['x_tutti_skip_agent', { task_id }, 'agent must be'],
      ['x_tutti_skip_agent', { task_id, agent: 'nobody' }, 'no agent "nobody"'],
      ['x_tutti_retry_agent', { task_id, agent: 9 }, 'no agent 9'],
      ['x_tutti_retry_agent', { task_id, agent: 1, continue: 'yes' }, 'continue must be'],
      ['x_tutti_task_state', { task_id: 'w0' }, 'there is no task "w0"'],
    ]
    for (const [subtype, fields, message] of refusals) {
      await expect(ask(subtype, fields)).rejects.toThrow(message)
    }
    await stages.last.desk.stopAll('enough')
    await expect(ask('x_tutti_skip_agent', { task_id, agent: 1 })).rejects.toThrow('has ended')
    await stages.last.finish()
    await expect(ask('x_tutti_skip_agent', { task_id, agent: 1 })).rejects.toThrow('has ended')
  })
})
