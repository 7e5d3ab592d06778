import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { script, type DeskStageOptions } from './support/desk-stage.ts'
import { deskStages } from './support/stages.ts'

const stages = deskStages()
const { open } = stages

async function answer(prompt: string): Promise<string> {
  const command = await stages.last.desk.command(prompt)
  if (command?.kind !== 'answer') throw new Error(`${prompt} gave no answer`)
  return command.text
}

describe('a command', () => {
  it('launches the saved workflow of its name with its args', async () => {
    const { desk, save, finish, ended, check } = open()
    await save('deep-research', script('return args', 'deep-research'))
    const command = await desk.command('/deep-research topic=foo')
    expect(command).toMatchObject({
      kind: 'workflow',
      input: { name: 'deep-research', args: { topic: 'foo' } },
    })
    if (command?.kind !== 'workflow') throw new Error('no workflow')
    const use = { toolUseId: 'toolu_slash', signal: new AbortController().signal }
    expect((await command.run(command.input, use)).structured).toMatchObject({ status: 'async_launched' })
    await finish()
    check()
    expect(ended[0]).toMatchObject({ toolUseId: 'toolu_slash', end: { value: { topic: 'foo' } } })
  })

  it('without more has no args', async () => {
    const { desk, save } = open()
    await save('demo', script('return 1'))
    expect(await desk.command('  /demo  ')).toMatchObject({ input: { name: 'demo' } })
    expect(await desk.command('/demo')).not.toHaveProperty('input.args')
  })

  it('of a workflow that cannot be run says why', async () => {
    const { save } = open()
    const path = await save('broken', 'const = 1')
    expect(await answer('/broken now')).toContain(`/broken cannot be run: ${path}: line 1`)
  })

  it('with a key twice is not started', async () => {
    const { save } = open()
    await save('demo', script('return 1'))
    expect(await answer('/demo a=1 a=2')).toBe('/demo was not started: "a" is given twice.')
  })

  it('that is unknown, and a prompt that is none, go to the model', async () => {
    const { desk, save } = open()
    await save('demo', script('return 1'))
    for (const prompt of ['/compact', '/tmp/demo is a file', 'run /demo', '', '/', '/demo/x y']) {
      expect(await desk.command(prompt), prompt).toBeUndefined()
    }
  })
})

describe('a command that was mistyped', () => {
  it('goes to the model with the name that is nearest', async () => {
    const { desk, save } = open()
    await save('deep-research', script('return 1', 'deep-research'))
    for (const [prompt, near] of [
      ['/deep-reserch cats', '/deep-research'],
      ['/workflow', '/workflows'],
    ] as const) {
      expect(await desk.command(prompt)).toEqual({
        kind: 'hint',
        text: expect.stringContaining(`the nearest is ${near}.`) as string,
      })
    }
  })

  it('is not guessed at from a workflow that cannot be run', async () => {
    const { desk, save } = open()
    await save('broken', 'const = 1')
    expect(await desk.command('/brokem')).toBeUndefined()
  })
})

describe('/workflows', () => {
  it('lists saved ones, those that cannot be run, and those that run', async () => {
    const { desk, save, write, root, cwd, launch, finish } = open({ table: { '*': { hang: true } } })
    expect(await answer('/workflows')).toMatch(/No workflow is saved/)
    await save('audit', script('return 1', 'audit', `whenToUse: 'Before a release.'`))
    await write(join(root, 'workflows', 'audit.js'), script('return 2', 'audit'))
    const broken = await save('broken', 'const = 1')
    const { taskId } = await launch({ script: script(`return agent('x')`, 'busy') })
    const text = await answer('/workflows')
    const place = join(cwd, '.claude', 'workflows', 'audit.js')
    expect(text).toContain(`- audit: About audit When: Before a release. (of this project, ${place})`)
    expect(text).toContain(`not used, ${place} has the same name`)
    expect(text).toContain(`Cannot be run:\n- ${broken}: line 1`)
    expect(text).toContain(`Running now:\n- ${taskId} running: workflow "busy"`)
    await desk.stopAll('done')
    await finish()
  })

  it('keeps the text of authors on its line and free of control characters', async () => {
    const { write, cwd } = open()
    await write(
      join(cwd, '.claude/workflows/x.js'),
      `export const meta = { name: 'x', description: 'one\\ntwo\\u001b[31m red' }\nreturn 1\n`,
    )
    await write(join(cwd, '.claude/workflows/\u001b[2Jbad name.js'), 'const = 1')
    const text = await answer('/workflows')
    expect(text).toContain('- x: one two red (')
    expect(text).not.toContain('\u001b')
    expect(text).toContain('bad name.js: line 1')
  })
})

describe('/help', () => {
  it('names every command', async () => {
    const { save, desk } = open()
    await save('audit', script('return 1', 'audit'))
    const text = await answer('/help')
    for (const { name } of await desk.commands()) expect(text).toContain(`- /${name}`)
    expect((await desk.commands()).map(({ name }) => name)).toEqual(['workflows', 'help', 'audit'])
  })

  it('is ours whatever is saved under that name', async () => {
    const { save, desk } = open()
    await save('help', script('return 1', 'help'))
    expect(await answer('/help')).toMatch(/^Commands:/)
    expect((await desk.commands()).filter(({ name }) => name === 'help')).toHaveLength(1)
  })
})

describe('switched off', () => {
  it.each<[string, DeskStageOptions]>([
    ['by the environment', { desk: { env: { TUTTI_DISABLE_WORKFLOWS: '1' } } }],
    ['by a peer’s variable', { desk: { env: { CLAUDE_CODE_DISABLE_WORKFLOWS: '1' } } }],
    ['by disableWorkflows', { desk: { settings: { disableWorkflows: true } } }],
    ['by enableWorkflows', { desk: { settings: { enableWorkflows: false } } }],
  ])('%s there are no tools, commands, instructions or requests', async (_, options) => {
    const { desk, save, frames } = open(options)
    await save('demo', script('return 1'))
    expect(desk.tools).toEqual([])
    expect(desk.capabilities).toEqual([])
    expect(await desk.commands()).toEqual([])
    expect(await desk.instructions({ highEffort: true })).toBe('')
    for (const prompt of ['/demo', '/workflows', '/help']) expect(await desk.command(prompt)).toBeUndefined()
    expect(await desk.control({ subtype: 'x_tutti_task_state', task_id: 'w0' })).toBeUndefined()
    expect(frames).toEqual([])
    await desk.idle()
    await desk.stopAll('nothing')
  })
})
