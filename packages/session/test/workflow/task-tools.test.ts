import { describe, expect, it } from 'vitest'
import { script, type DeskStageOptions } from './support/desk-stage.ts'
import { deskStages } from './support/stages.ts'

const stages = deskStages()
const { open } = stages

const HANGING: DeskStageOptions = { table: { '*': { hang: true } } }
const ONE = script(`log('looking')\nreturn agent('x', { label: 'reader' })`)

async function end(): Promise<void> {
  await stages.last.desk.stopAll('done')
  await stages.last.finish()
}

describe('TaskOutput', () => {
  it('gives the result of a task that has ended', async () => {
    const { launch, finish, use } = open()
    const { taskId, runId } = await launch({ script: ONE })
    await finish()
    for (const id of [taskId, runId]) {
      const { content, structured, failed } = await use('TaskOutput', { task_id: id })
      expect(failed).toBeUndefined()
      expect(content).toContain('<result>"x"</result>')
      expect(structured).toMatchObject({
        retrieval_status: 'success',
        task: { task_id: taskId, task_type: 'local_workflow', status: 'completed' },
      })
    }
  })

  it('waits for the end', async () => {
    const { launch, use, clock } = open({ table: { reader: { ok: 'read', afterMs: 5000 } } })
    const { taskId } = await launch({ script: ONE })
    await stages.last.agentsAtWork(taskId, 1)
    const output = use('TaskOutput', { task_id: taskId })
    await clock.advance(5000)
    expect((await output).content).toContain('<result>"read"</result>')
  })

  it('tells what is going on when the time is over', async () => {
    const { launch, use, clock } = open(HANGING)
    const { taskId } = await launch({ script: ONE })
    await stages.last.agentsAtWork(taskId, 1)
    const output = use('TaskOutput', { task_id: taskId, timeout: 2000 })
    await clock.advance(2000)
    const { content, structured } = await output
    expect(structured).toMatchObject({ retrieval_status: 'timeout', task: { status: 'running' } })
    expect(content).toContain('- 1 reader')
    expect(content).toContain('- looking')
    await end()
  })

  it('does not wait when told so, nor when the turn is interrupted', async () => {
    const { launch, use } = open(HANGING)
    const { taskId } = await launch({ script: ONE })
    const now = await use('TaskOutput', { task_id: taskId, block: false })
    expect(now.structured).toMatchObject({ retrieval_status: 'not_ready' })
    const turn = new AbortController()
    const output = use('TaskOutput', { task_id: taskId }, { signal: turn.signal })
    turn.abort()
    expect((await output).structured).toMatchObject({ retrieval_status: 'timeout' })
    expect((await use('TaskOutput', { task_id: taskId }, { signal: turn.signal })).structured).toMatchObject({
      retrieval_status: 'timeout',
    })
    await end()
  })

  it('finds a task of an earlier session', async () => {
    const { launch, finish, folder } = open({ table: { a: { ok: 'found it' }, b: { die: 'refused' } } })
    const first = await launch({ script: script(`return agent('x', { label: 'a' })`) })
    const second = await launch({ script: script(`return agent('x', { label: 'b' })`) })
    await finish()
    const later = stages.open({ folder, sessionId: '00000000-0000-4000-8000-000000000001' })
    for (const id of [first.taskId, first.runId]) {
      const { content, structured } = await later.use('TaskOutput', { task_id: id })
      expect(content).toContain('Workflow "demo" completed: 1 agent: 1 ok')
      expect(content).toContain('found it')
      expect(content).not.toContain('resumeFromRunId')
      expect(structured).toMatchObject({ task: { status: 'completed', run_id: first.runId } })
    }
    const { content } = await later.use('TaskOutput', { task_id: second.taskId })
    expect(content).toContain(`Workflow({"resumeFromRunId":"${second.runId}"})`)
  })

  it('says of a task that another session runs that it does', async () => {
    const { launch, folder } = open(HANGING)
    const { taskId } = await launch({ script: ONE })
    const other = stages.open({ folder, sessionId: '00000000-0000-4000-8000-000000000001' })
    const { content } = await other.use('TaskOutput', { task_id: taskId })
    expect(content).toContain('running in another session')
    expect(content).not.toContain('resumeFromRunId')
    await end()
  })

  it.each([
    [{}, 'task_id is missing'],
    [{ task_id: 1 }, 'task_id must be a string'],
    [{ task_id: 'w1', block: 'yes' }, 'block must be true or false'],
    [{ task_id: 'w1', timeout: -1 }, 'timeout must be a number'],
    [{ task_id: 'w1', wait: true }, 'there is no field "wait"'],
    [{ task_id: 'w1' }, 'There is no task "w1" in this session. No workflow runs.'],
  ])('refuses %j', async (input, reason) => {
    const { content, failed } = await open().use('TaskOutput', input)
    expect(failed).toBe(true)
    expect(content).toContain(reason)
  })
})

describe('TaskStop', () => {
  it('stops a task and says how to go on', async () => {
    const { launch, use, finish, check, order } = open(HANGING)
    const { taskId, runId } = await launch({ script: ONE })
    const { content, failed } = await use('TaskStop', { task_id: taskId })
    expect(failed).toBeUndefined()
    expect(content).toContain(`Workflow({"resumeFromRunId":"${runId}"})`)
    expect(order(taskId)).toContain('task_notification:stopped')
    await finish()
    check()
    expect((await use('TaskStop', { task_id: taskId })).content).toBe(
      `Task ${taskId} has already ended: killed.`,
    )
  })

  it('names the tasks that run when there is none of that id', async () => {
    const { launch, use } = open(HANGING)
    const { taskId } = await launch({ script: ONE })
    const { content, failed } = await use('TaskStop', { task_id: 'w0' })
    expect(failed).toBe(true)
    expect(content).toBe(`There is no task "w0" in this session. Running: ${taskId}.`)
    expect((await use('TaskStop', {})).failed).toBe(true)
    await end()
  })
})

describe('TaskList', () => {
  it('has those that run, then those that ended, newest first', async () => {
    const { launch, use, finish } = open({ table: { quick: { ok: 1 }, '*': { hang: true } } })
    expect((await use('TaskList', {})).content).toBe('No workflow was launched in this session.')
    const first = await launch({ script: script(`return agent('q', { label: 'quick' })`, 'first') })
    await finish()
    const second = await launch({ script: script('return 1', 'second') })
    await finish()
    const third = await launch({ script: script(`return agent('x')`, 'third') })
    const { content, structured } = await use('TaskList', {})
    expect(structured).toMatchObject({
      tasks: [
        { task_id: third.taskId, status: 'running', task_type: 'local_workflow' },
        { task_id: second.taskId, status: 'completed' },
        { task_id: first.taskId, status: 'completed' },
      ],
    })
    expect((content as string).split('\n')).toEqual([
      expect.stringContaining('workflow "third"'),
      expect.stringContaining('Workflow "second" completed: 0 agents'),
      expect.stringContaining('Workflow "first" completed: 1 agent: 1 ok'),
    ])
    expect((await use('TaskList', { all: true })).failed).toBe(true)
    await end()
  })
})
