import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '@tutti/protocol'
import { describe, expect, it } from 'vitest'
import { script, SESSION_ID } from './support/desk-stage.ts'
import { deskStages } from './support/stages.ts'

const { open } = deskStages()

describe('a launch', () => {
  it('answers at once, with task_started before the result, and is told of to its end', async () => {
    const { use, finish, frames, ended, desk, check, order } = open()
    const result = await use('Workflow', { script: script(`return agent('hello', { label: 'a' })`) })
    expect(result.failed).toBeUndefined()
    expect(result.structured).toMatchObject({
      status: 'async_launched',
      taskType: 'local_workflow',
      workflowName: 'demo',
      summary: 'About demo',
    })
    expect(result.content).toMatch(/^Workflow launched in background\. Task ID: w/)
    expect(desk.running).toHaveLength(1)
    expect(frames[0]).toMatchObject({
      subtype: 'task_started',
      workflow_name: 'demo',
      tool_use_id: 'toolu_1',
    })
    await finish()
    check()
    expect(order().filter(name => name !== 'task_progress')).toEqual([
      'task_started',
      'background_tasks_changed',
      'task_updated:completed',
      'task_notification:completed',
      'background_tasks_changed',
    ])
    expect(desk.running).toEqual([])
    expect(ended).toHaveLength(1)
    expect(ended[0]?.end.value).toBe('hello')
    expect(ended[0]?.toolUseId).toBe('toolu_1')
    expect(ended[0]?.text).toContain('<result>"hello"</result>')
  })

  it('keeps the run in the session that launched it', async () => {
    const { launch, finish, store, cwd } = open()
    const { runId } = await launch({ script: script('return args'), args: { a: 1 } })
    await finish()
    const { record } = await store.load(runId)
    expect(record).toMatchObject({ sessionId: SESSION_ID, cwd, args: { a: 1 }, toolUseId: 'toolu_1' })
  })

  it('runs a saved workflow by name and a script by its path', async () => {
    const { launch, finish, save, write, cwd, frames } = open()
    await save('greet', script('return 1', 'greet'))
    await launch({ name: 'greet' })
    const path = await write(join(cwd, 'tools', 'flow.js'), script('return 2', 'flow'))
    await launch({ scriptPath: 'tools/flow.js' })
    await launch({ scriptPath: path, name: 'greet', script: 'nonsense' })
    await finish()
    expect(frames.flatMap(frame => ('workflow_name' in frame ? [frame.workflow_name] : []))).toEqual([
      'greet',
      'path:flow.js',
      'path:flow.js',
    ])
  })

  it('gives the script to the frames of the dialect that shows it', async () => {
    const source = script('return 1')
    const { launch, finish, frames } = open({ dialect: 'claude-code' })
    await launch({ script: source })
    await finish()
    expect(frames[0]).toMatchObject({ subtype: 'task_started', prompt: source })
  })

  it('can be the same workflow twice at once', async () => {
    const { launch, finish, ended, check, desk } = open()
    const source = script(`return agent('x', { label: 'a' })`)
    const [first, second] = await Promise.all([launch({ script: source }), launch({ script: source })])
    expect(first.runId).not.toBe(second.runId)
    expect(desk.running).toHaveLength(2)
    await finish()
    check()
    expect(ended.map(({ end }) => end.status)).toEqual(['completed', 'completed'])
  })
})

describe('a launch that cannot be', () => {
  const refusals: [string, JsonObject, RegExp][] = [
    ['an input that names nothing', { args: 1 }, /one of script, name, scriptPath or resumeFromRunId/],
    ['a field that does not exist', { script: 'x', prompt: 'y' }, /prompt/],
    ['a field of the wrong kind', { script: 7 }, /script/],
    ['a run id that is none', { resumeFromRunId: '../x' }, /resumeFromRunId: a run id looks like/],
    ['an unknown workflow', { name: 'nope' }, /There is no saved workflow "nope"/],
    ['an unknown run', { resumeFromRunId: 'wf_00000000-000' }, /There is no run wf_00000000-000/],
    ['a file that is not there', { scriptPath: 'nope.js' }, /nope\.js does not exist/],
    ['a script that does not parse', { script: script('const a = ;') }, /workflow\.js:2:11 error/],
    ['a script without meta', { script: 'return 1' }, /meta/],
    [
      'args that do not fit',
      { script: script('return 1', 'demo', `args: { type: 'object', required: ['a'] }`) },
      /the args of demo are missing/,
    ],
  ]

  it.each(refusals)('is answered with the reason: %s', async (_, input, reason) => {
    const asked: unknown[] = []
    const { use, frames, root } = open({
      host: {
        mayLaunch: async question => {
          asked.push(question)
          return { allowed: true }
        },
      },
    })
    const result = await use('Workflow', input)
    expect(result.failed).toBe(true)
    expect(result.content).toMatch(reason)
    expect(result.structured).toBeUndefined()
    expect(asked).toEqual([])
    expect(frames).toEqual([])
    expect(existsSync(root)).toBe(false)
  })

  it('shows the line of a mistake, and at most ten findings', async () => {
    const { use } = open()
    const { content } = await use('Workflow', { script: script('Date.now()\n'.repeat(30)) })
    expect(content).toContain('> 2 | Date.now()')
    expect(content).toContain('and 20 more findings')
  })
})
