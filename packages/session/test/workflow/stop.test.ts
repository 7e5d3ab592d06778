import { describe, expect, it } from 'vitest'
import { script } from './support/desk-stage.ts'
import { deskStages } from './support/stages.ts'

const stages = deskStages({ table: { '*': { hang: true } } })
const { open } = stages

const FAN_OUT = script(`return parallel([1, 2, 3].map(n => () => agent('x ' + n, { label: 'a' + n })))`)

describe('stopping a task', () => {
  it('is told at once, ends every row, and is heard once', async () => {
    const { launch, desk, finish, order, check, ended } = open()
    const { taskId, runId } = await launch({ script: FAN_OUT })
    await stages.last.agentsAtWork(taskId, 3)
    expect(await desk.stopTask(taskId, 'enough')).toBe(true)
    expect(order(taskId).slice(-2)).toEqual(['task_updated:killed', 'task_notification:stopped'])
    expect(await desk.stopTask(taskId, 'again')).toBe(false)
    await finish()
    check()
    expect(ended).toHaveLength(1)
    expect(ended[0]?.text).toContain(`Workflow({"resumeFromRunId":"${runId}"})`)
    expect(ended[0]?.text).toContain('<status>stopped</status>')
    expect(await desk.stopTask(taskId, 'much later')).toBe(false)
  })

  it('is false for a task that does not exist', async () => {
    expect(await open().desk.stopTask('w00000000', 'why')).toBe(false)
  })
})

describe('stopping everything', () => {
  it.each(['codebuddy', 'claude-code'] as const)(
    'has the terminal frames of all written when it resolves (%s)',
    async dialect => {
      const { launch, desk, finish, order, check, clock } = open({ dialect })
      const tasks = await Promise.all([launch({ script: FAN_OUT }), launch({ script: FAN_OUT })])
      for (const { taskId } of tasks) await stages.last.agentsAtWork(taskId, 3)
      const stopped = desk.stopAll('interrupted')
      await clock.advance(2000)
      await stopped
      for (const { taskId } of tasks) expect(order(taskId)).toContain('task_notification:stopped')
      await finish()
      check()
      await desk.stopAll('again')
    },
  )

  it('takes back a launch that waits for its permission, whether the host answers or not', async () => {
    let asked: () => void = () => {}
    const asking = new Promise<void>(resolve => (asked = resolve))
    let withdrawn = false
    const { use, desk, frames } = open({
      host: {
        mayLaunch: ({ signal }) => {
          signal.addEventListener('abort', () => (withdrawn = true))
          asked()
          return new Promise(() => {})
        },
      },
    })
    const launching = use('Workflow', { script: FAN_OUT })
    await asking
    await desk.stopAll('interrupted')
    expect(withdrawn).toBe(true)
    expect(await launching).toMatchObject({ failed: true, content: expect.stringMatching(/Interrupted/) })
    expect(frames).toEqual([])
    expect(desk.running).toEqual([])
  })

  it('stops a run that was being made, and launches afterwards go through', async () => {
    const { use, desk, finish, launch, order, check } = open({ table: { '*': { echo: true } } })
    const launching = use('Workflow', { script: FAN_OUT })
    await desk.stopAll('interrupted')
    await launching
    await finish()
    check()
    expect(order()).not.toContain('task_notification:completed')
    await launch({ script: script('return 1') })
    await finish()
    expect(order()).toContain('task_notification:completed')
  })

  it('comes to nothing when the turn was interrupted before', async () => {
    const { use, frames } = open()
    const turn = new AbortController()
    turn.abort()
    expect(await use('Workflow', { script: FAN_OUT }, { signal: turn.signal })).toMatchObject({
      failed: true,
    })
    expect(frames).toEqual([])
  })
})

describe('the set of tasks', () => {
  it('is told again when asked', async () => {
    const { launch, desk, frames, finish } = open()
    const { taskId } = await launch({ script: FAN_OUT })
    desk.announceTasks()
    expect(frames.at(-1)).toMatchObject({
      subtype: 'background_tasks_changed',
      tasks: [{ task_id: taskId, task_type: 'local_workflow', description: 'About demo' }],
    })
    await desk.stopAll('done')
    await finish()
    expect(frames.findLast(frame => 'tasks' in frame)).toMatchObject({ tasks: [] })
  })
})
