import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectSlug } from '@tutti/storage'
import type { PermissionSettings } from '@tutti/protocol'
import { describe, expect, it } from 'vitest'
import type { LaunchAnswer, LaunchQuestion } from '../../src/workflow/types.ts'
import { script, type DeskStage, type DeskStageOptions } from './support/desk-stage.ts'
import { deskStages } from './support/stages.ts'

const stages = deskStages()

interface Asked extends DeskStage {
  questions: LaunchQuestion[]
}

/** A stage whose host answers every question the same way. */
function open(answer: LaunchAnswer, options: DeskStageOptions = {}): Asked {
  const questions: LaunchQuestion[] = []
  const stage = stages.open({
    ...options,
    host: {
      mayLaunch: async question => {
        questions.push(question)
        return answer
      },
      ...options.host,
    },
  })
  return { ...stage, questions }
}

const SOURCE = script('return 1', 'demo', `phases: ['Find', { title: 'Check' }]`)

function rules(permissions: PermissionSettings): DeskStageOptions {
  return { host: { permissionRules: () => permissions } }
}

describe('permission for a launch', () => {
  it.each(['default', 'acceptEdits', 'plan', 'auto'])('is asked for in mode %s', async mode => {
    const { launch, finish, questions } = open({ allowed: true }, { mode })
    await launch({ script: SOURCE, args: 1 })
    await finish()
    expect(questions).toEqual([
      {
        toolUseId: 'toolu_1',
        input: { script: SOURCE, args: 1 },
        workflowName: 'demo',
        description: 'About demo',
        phases: ['Find', 'Check'],
        script: SOURCE,
        signal: expect.any(AbortSignal),
      },
    ])
  })

  it('makes nothing when it is denied, and tells the reason', async () => {
    const { use, frames, store } = open({ allowed: false, reason: 'too expensive' })
    const result = await use('Workflow', { script: SOURCE })
    expect(result).toEqual({
      content: 'The workflow was not launched: too expensive',
      failed: true,
      denied: true,
    })
    expect(frames).toEqual([])
    expect(await store.list()).toEqual([])
  })

  it('is not asked for in mode bypassPermissions', async () => {
    const { launch, finish, questions } = open({ allowed: false }, { mode: 'bypassPermissions' })
    await launch({ script: SOURCE })
    await finish()
    expect(questions).toEqual([])
  })

  it('is not asked for where nobody is there', async () => {
    stages.open()
    await stages.last.launch({ script: SOURCE })
    await stages.last.finish()
  })

  it('is asked for by a slash command too', async () => {
    const { desk, save, questions } = open({ allowed: false })
    await save('demo', SOURCE)
    const command = await desk.command('/demo')
    if (command?.kind !== 'workflow') throw new Error('no command')
    const use = { toolUseId: 'toolu_9', signal: new AbortController().signal }
    expect(await command.run(command.input, use)).toMatchObject({ failed: true })
    expect(questions).toHaveLength(1)
  })

  it('is not asked for when a hook has given it, but for what rules deny or ask about', async () => {
    const { use, finish, questions } = open({ allowed: false }, { mode: 'dontAsk' })
    expect((await use('Workflow', { script: SOURCE }, { allowed: true })).failed).toBeUndefined()
    await finish()
    expect(questions).toEqual([])
    const asking = stages.open({
      folder: stages.last.folder,
      host: { mayLaunch: async () => ({ allowed: false }), permissionRules: () => ({ ask: ['Workflow'] }) },
    })
    expect((await asking.use('Workflow', { script: SOURCE }, { allowed: true })).denied).toBe(true)
  })

  it('is asked for once when a hook wants it asked for, whatever allows it', async () => {
    const { launch, use, finish, questions } = open({ allowed: true }, { mode: 'bypassPermissions' })
    await launch({ script: SOURCE })
    expect(questions).toEqual([])
    await use('Workflow', { script: SOURCE }, { mustAsk: true })
    await finish()
    expect(questions).toHaveLength(1)
  })

  it('that a hook wants asked for is denied where nobody is there', async () => {
    stages.open()
    const result = await stages.last.use('Workflow', { script: SOURCE }, { mustAsk: true })
    expect(result).toMatchObject({
      denied: true,
      content: expect.stringContaining('a hook has it asked for, and nobody is there'),
    })
  })

  it('runs what the host makes of the input, checked anew and not asked about again', async () => {
    const { launch, finish, questions, ended } = open({
      allowed: true,
      updatedInput: { script: script('return args', 'demo'), args: 'changed' },
    })
    await launch({ script: SOURCE })
    await finish()
    expect(questions).toHaveLength(1)
    expect(ended[0]?.end.value).toBe('changed')
  })

  it('refuses what the host makes of the input when a rule denies that', async () => {
    const { use } = open(
      { allowed: true, updatedInput: { script: script('return 1', 'other') } },
      rules({ deny: ['Workflow(other)'] }),
    )
    expect(await use('Workflow', { script: SOURCE })).toMatchObject({ failed: true, denied: true })
  })

  it('refuses what the host makes of the input when it cannot run', async () => {
    const { use } = open({ allowed: true, updatedInput: { script: 'return 1' } })
    expect(await use('Workflow', { script: SOURCE })).toMatchObject({ failed: true })
  })

  it('is denied when the question fails', async () => {
    stages.open({
      host: {
        mayLaunch: async () => {
          throw new Error('the host is gone')
        },
      },
    })
    expect(await stages.last.use('Workflow', { script: SOURCE })).toEqual({
      content: 'the host is gone',
      failed: true,
    })
  })
})

describe('rules about launches', () => {
  it('deny in every mode', async () => {
    for (const rule of ['Workflow', 'Workflow(demo)', 'Workflow(de*)', 'RunWorkflow', 'Workflow(*)']) {
      const { use, questions } = open(
        { allowed: true },
        { mode: 'bypassPermissions', ...rules({ deny: [rule], allow: ['Workflow'] }) },
      )
      expect(await use('Workflow', { script: SOURCE })).toMatchObject({
        failed: true,
        content: expect.stringContaining(`rule ${rule}`),
      })
      expect(questions).toEqual([])
    }
  })

  it('about other tools or names say nothing', async () => {
    const { launch, finish, questions } = open(
      { allowed: true },
      rules({ deny: ['Bash', 'Workflow(other)', '('] }),
    )
    await launch({ script: SOURCE })
    await finish()
    expect(questions).toHaveLength(1)
  })

  it('have it asked for also where all is allowed', async () => {
    const { launch, finish, questions } = open(
      { allowed: true },
      { mode: 'bypassPermissions', ...rules({ ask: ['Workflow(demo)'] }) },
    )
    await launch({ script: SOURCE })
    await finish()
    expect(questions).toHaveLength(1)
  })

  it('deny what nobody can be asked about', async () => {
    stages.open(rules({ ask: ['Workflow'] }))
    expect(await stages.last.use('Workflow', { script: SOURCE })).toMatchObject({ failed: true })
  })

  it('allow without a question', async () => {
    const { launch, finish, questions } = open({ allowed: false }, rules({ allow: ['Workflow'] }))
    await launch({ script: SOURCE })
    await finish()
    expect(questions).toEqual([])
  })

  it('by name allow the saved workflow of that name, and no other script that calls itself so', async () => {
    const { launch, use, finish, save, questions } = open(
      { allowed: false },
      rules({ allow: ['Workflow(demo)'] }),
    )
    await save('demo', SOURCE)
    await launch({ name: 'demo' })
    await finish()
    expect(await use('Workflow', { script: script('return 666') })).toMatchObject({ failed: true })
    expect(questions).toHaveLength(1)
  })

  it('are needed in mode dontAsk, which an earlier approval does not replace', async () => {
    const first = open({ allowed: true, remember: true })
    await first.launch({ script: SOURCE })
    await first.finish()
    const denied = stages.open({ folder: first.folder, mode: 'dontAsk' })
    expect(await denied.use('Workflow', { script: SOURCE })).toMatchObject({
      failed: true,
      content: expect.stringContaining('dontAsk'),
    })
    const allowed = stages.open({
      folder: first.folder,
      mode: 'dontAsk',
      ...rules({ allow: ['Workflow'] }),
    })
    await allowed.launch({ script: SOURCE })
    await allowed.finish()
  })

  it('come from the settings when the session has none of its own', async () => {
    stages.open({ desk: { settings: { permissions: { deny: ['Workflow'] } } } })
    expect(await stages.last.use('Workflow', { script: SOURCE })).toMatchObject({ failed: true })
  })
})

describe('an approval for good', () => {
  it('holds for this script in this project, also in later sessions, and for no other script', async () => {
    const { launch, finish, questions, folder, root, cwd } = open({ allowed: true, remember: true })
    await launch({ script: SOURCE })
    await launch({ script: SOURCE, args: 2 })
    await finish()
    expect(questions).toHaveLength(1)
    const file = join(root, 'projects', projectSlug(cwd), 'approved-workflows.json')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const later = stages.open({ folder, host: { mayLaunch: async () => ({ allowed: false }) } })
    await later.launch({ script: SOURCE })
    await later.finish()
    expect(await later.use('Workflow', { script: `${SOURCE} ` })).toMatchObject({ failed: true })
  })

  it('is asked for again when the file is damaged, and kept anew', async () => {
    const { launch, finish, questions, root, cwd } = open({ allowed: true, remember: true })
    await launch({ script: SOURCE })
    const file = join(root, 'projects', projectSlug(cwd), 'approved-workflows.json')
    await writeFile(file, '{"version":1,"scripts":')
    await launch({ script: SOURCE })
    await finish()
    expect(questions).toHaveLength(2)
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ version: 1 })
  })

  it('that cannot be kept is warned of, and the workflow runs', async () => {
    const failing = {
      has: async () => false,
      add: async () => {
        throw new Error('the disk is full')
      },
    }
    const { launch, finish, warnings } = open(
      { allowed: true, remember: true },
      { desk: { approved: failing } },
    )
    await launch({ script: SOURCE })
    await finish()
    expect(warnings).toEqual([expect.stringContaining('the disk is full')])
  })
})
