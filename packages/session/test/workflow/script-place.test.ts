import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { script } from './support/desk-stage.ts'
import { deskStages } from './support/stages.ts'

const stages = deskStages()
const { open } = stages

const flow = script('return 1', 'flow')

describe('a script by its path', () => {
  it('is refused outside of the working directory, also behind a link or dots', async () => {
    const { use, write, folder, cwd } = open()
    const outside = await write(join(folder, 'elsewhere', 'flow.js'), flow)
    await write(join(cwd, 'a', 'own.js'), flow)
    await symlink(outside, join(cwd, 'link.js'))
    await symlink(join(folder, 'elsewhere'), join(cwd, 'linked'))
    for (const scriptPath of [outside, 'link.js', 'linked/flow.js', 'a/../../elsewhere/flow.js']) {
      const { failed, content } = await use('Workflow', { scriptPath })
      expect(failed, scriptPath).toBe(true)
      expect(content).toMatch(/lies outside of the working directory/)
    }
  })

  it('tells nothing of a file that is no script', async () => {
    const { use, write, cwd } = open()
    await write(join(cwd, 'secret.txt'), 'TOKEN=hunter2')
    const { failed, content } = await use('Workflow', { scriptPath: 'secret.txt' })
    expect(failed).toBe(true)
    expect(content).toMatch(/does not end in \.js/)
    expect(content).not.toContain('hunter2')
  })

  it('may lie in a further directory of the session, or be a saved workflow', async () => {
    const { launch, write, folder, root, finish } = open({ desk: {} })
    const saved = await write(join(root, 'workflows', 'mine.js'), flow)
    await launch({ scriptPath: saved })
    await finish()
    const more = await write(join(folder, 'more', 'flow.js'), flow)
    const other = stages.open({
      folder,
      sessionId: '00000000-0000-4000-8000-000000000001',
      desk: { additionalDirectories: [join(folder, 'more')] },
    })
    await other.launch({ scriptPath: more })
    await other.finish()
  })

  it('may lie anywhere where everything is allowed', async () => {
    const { launch, write, folder, finish } = open({ mode: 'bypassPermissions' })
    await launch({ scriptPath: await write(join(folder, 'elsewhere', 'flow.js'), flow) })
    await finish()
  })

  it('may be the copy of a run, edited and resumed', async () => {
    const { launch, write, finish, ended, frames, store } = open()
    const body = (ending: string): string =>
      script(`const a = await agent('first', { label: 'a' })\nreturn ${ending}`, 'flow')
    const first = await launch({ script: body('a') })
    await finish()
    await write(first.scriptPath, body(`a + ' edited'`))
    await launch({ scriptPath: first.scriptPath, resumeFromRunId: first.runId })
    await finish()
    expect(ended[1]?.end).toMatchObject({ runId: first.runId, value: 'first edited', dispatched: 0 })
    // It was never a file of its own: the run keeps its name, and a further resume takes the edited copy.
    expect(frames.findLast(frame => 'workflow_name' in frame)).toMatchObject({ workflow_name: 'flow' })
    expect((await store.load(first.runId)).record.sourcePath).toBeUndefined()
    await launch({ resumeFromRunId: first.runId })
    await finish()
    expect(ended[2]?.end).toMatchObject({ value: 'first edited', dispatched: 0 })
  })

  it('may not merely look like the copy of a run', async () => {
    const { launch, use, write, finish, root } = open()
    const { runId } = await launch({ script: flow })
    await finish()
    const forged = await write(join(root, 'plans', `${runId}.js`), flow)
    expect((await use('Workflow', { scriptPath: forged })).failed).toBe(true)
  })
})
