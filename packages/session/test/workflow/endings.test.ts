import { describe, expect, it } from 'vitest'
import { script } from './support/desk-stage.ts'
import { deskStages } from './support/stages.ts'

const stages = deskStages()
const { open } = stages

describe('the end of a run', () => {
  it('that failed is told with its error and the exact call that resumes it', async () => {
    const { launch, finish, ended, check } = open()
    const { runId } = await launch({ script: script(`throw new Error('no way')`), args: { n: 1 } })
    await finish()
    check()
    expect(ended[0]?.end.status).toBe('failed')
    expect(ended[0]?.text).toContain('no way')
    expect(ended[0]?.text).toContain(`Workflow({"resumeFromRunId":"${runId}","args":{"n":1}})`)
  })

  it('that the breaker paused is told as stopped, with the reason and how to go on, and nothing hangs', async () => {
    const { launch, finish, ended, check, order, use, desk } = open({
      table: { a: [{ die: 'quota' }, { ok: 'done' }] },
    })
    const { taskId, runId } = await launch({ script: script(`return agent('x', { label: 'a' })`) })
    await finish()
    check()
    expect(order(taskId).slice(-2)).toEqual(['task_updated:paused', 'task_notification:stopped'])
    expect(ended[0]?.text).toContain('<status>stopped</status>')
    expect(ended[0]?.text).toContain('paused (quota)')
    expect(ended[0]?.text).toContain(`Workflow({"resumeFromRunId":"${runId}"})`)
    expect((await use('TaskOutput', { task_id: taskId })).content).toContain('paused (quota)')
    expect(await desk.control({ subtype: 'x_tutti_task_state', task_id: taskId })).toMatchObject({
      status: 'paused',
      paused_by: 'quota',
    })
    await launchAgain(runId)
    expect(ended[1]?.end).toMatchObject({ status: 'completed', value: 'done' })
  })

  it('is heard although the host throws', async () => {
    const { launch, finish, warnings, desk } = open({
      host: {
        ended: () => {
          throw new Error('not now')
        },
      },
    })
    await launch({ script: script('return 1') })
    await finish()
    expect(desk.running).toEqual([])
    expect(warnings).toEqual([expect.stringContaining('not now')])
  })
})

describe('a resume', () => {
  it('runs only what has no result, as a task of its own', async () => {
    const { launch, finish, ended, check } = open({
      table: { a: { ok: 'kept' }, b: [{ die: 'refused' }, { ok: 'now' }] },
    })
    const source = script(`return [await agent('1', { label: 'a' }), await agent('2', { label: 'b' })]`)
    const first = await launch({ script: source })
    await finish()
    const second = await launch({ resumeFromRunId: first.runId })
    await finish()
    check()
    expect(second.runId).toBe(first.runId)
    expect(second.taskId).not.toBe(first.taskId)
    expect(ended[1]?.end).toMatchObject({ value: ['kept', 'now'], dispatched: 1 })
    expect(ended[1]?.toolUseId).toBe('toolu_2')
  })

  it('takes a new script and new args', async () => {
    const { launch, finish, ended } = open()
    const { runId } = await launch({ script: script('return args.n'), args: { n: 1 } })
    await finish()
    await launch({ resumeFromRunId: runId, script: script('return args.n * 10'), args: { n: 2 } })
    await finish()
    expect(ended[1]?.end).toMatchObject({ runId, value: 20 })
    await launch({ resumeFromRunId: runId })
    await finish()
    expect(ended[2]?.end.value).toBe(20)
  })

  it('reads the file again that the run was started from', async () => {
    const { launch, finish, ended, write, cwd, use } = open()
    const path = await write(`${cwd}/flow.js`, script('return 1'))
    const { runId } = await launch({ scriptPath: 'flow.js' })
    await finish()
    await write(path, script('return 2'))
    await launch({ resumeFromRunId: runId })
    await finish()
    expect(ended[1]?.end.value).toBe(2)
    await write(path, 'return 3')
    expect(await use('Workflow', { resumeFromRunId: runId })).toMatchObject({
      failed: true,
      content: expect.stringContaining('flow.js:1:1'),
    })
  })

  it('is refused while the run goes on', async () => {
    const { launch, use, desk, finish } = open({ table: { '*': { hang: true } } })
    const { runId, taskId } = await launch({ script: script(`return agent('x')`) })
    const { failed, content } = await use('Workflow', { resumeFromRunId: runId })
    expect(failed).toBe(true)
    expect(content).toContain(`run ${runId} still goes on as task ${taskId}`)
    await desk.stopAll('done')
    await finish()
  })

  it('of the same run twice at once is one', async () => {
    const { launch, use, finish, ended } = open()
    const { runId } = await launch({ script: script(`return agent('x', { label: 'a' })`) })
    await finish()
    const both = await Promise.all([1, 2].map(() => use('Workflow', { resumeFromRunId: runId })))
    expect(both.filter(({ failed }) => failed)).toHaveLength(1)
    expect(both.find(({ failed }) => failed)?.content).toMatch(
      new RegExp(`${runId}.*(owned|held|running|owner)`, 's'),
    )
    await finish()
    expect(ended).toHaveLength(2)
  })

  it('is refused while another session owns the run', async () => {
    const { launch, desk, finish, folder } = open({ table: { '*': { hang: true } } })
    const { runId } = await launch({ script: script(`return agent('x')`) })
    const other = stages.open({ folder, sessionId: '00000000-0000-4000-8000-000000000001' })
    const { failed, content } = await other.use('Workflow', { resumeFromRunId: runId })
    expect(failed).toBe(true)
    expect(content).toContain(runId)
    await desk.stopAll('done')
    await finish()
  })

  it('finds a run of another session by its id', async () => {
    const { launch, finish, folder } = open()
    const { runId } = await launch({ script: script(`return agent('x', { label: 'a' })`) })
    await finish()
    const other = stages.open({ folder, sessionId: '00000000-0000-4000-8000-000000000001' })
    await other.launch({ resumeFromRunId: runId })
    await other.finish()
    expect(other.ended[0]?.end).toMatchObject({ value: 'x', dispatched: 0 })
  })

  it('says so when only the saved copy of the script is left', async () => {
    const { launch, finish, write, cwd } = open()
    const path = await write(`${cwd}/flow.js`, script('return 1'))
    const { runId } = await launch({ scriptPath: 'flow.js' })
    await finish()
    const { rm } = await import('node:fs/promises')
    await rm(path)
    const { warning } = await launch({ resumeFromRunId: runId })
    expect(warning).toMatch(/can no longer be read: the saved copy/)
    await finish()
  })
})

async function launchAgain(runId: string): Promise<void> {
  await stages.last.launch({ resumeFromRunId: runId })
  await stages.last.finish()
}
