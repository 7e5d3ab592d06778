import { afterEach, describe, expect, test } from 'vitest'
import { says, uses, works } from './support/scripted-chat.ts'
import { createSessionStage, type SessionStage, type SessionStageOptions } from './support/session-stage.ts'
import { script } from './workflow/support/desk-stage.ts'

const stages: SessionStage[] = []
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.remove()
})

function open(options?: SessionStageOptions): SessionStage {
  const stage = createSessionStage(options)
  stages.push(stage)
  return stage
}

const BYPASS = { config: { permissionMode: 'bypassPermissions' } }

describe('turns', () => {
  test('a message has init, the answer and one result', async () => {
    const stage = open({ turns: [says('Hello.')] })
    stage.user('Hi')
    const result = await stage.result()
    expect(result).toMatchObject({ subtype: 'success', result: 'Hello.', is_error: false, num_turns: 1 })
    stage.endInput()
    expect(await stage.session.done).toMatchObject({ reason: 'ended', exitCode: 0 })
    expect(stage.order()).toEqual(['system/init', 'assistant', 'result/success'])
    stage.check()
  })

  test('a workflow of the model starts a turn of its own when it ends', async () => {
    const stage = open({
      ...BYPASS,
      turns: [uses('Workflow', { script: script('return 1') }), says('It is 1.')],
    })
    stage.user('Go')
    expect(await stage.result(2)).toMatchObject({ result: 'It is 1.', origin: { kind: 'task-notification' } })
    expect(stage.chat().heard[1]?.content).toContain('<task-notification>')
    stage.endInput()
    await stage.session.done
    stage.check()
  })

  test('without a host the result waits for the workflow', async () => {
    const stage = open({
      deaf: true,
      prompts: ['Go'],
      turns: [uses('Workflow', { script: script('return 1') }), says('It is 1.')],
    })
    const end = await stage.session.done
    expect(stage.results()).toHaveLength(1)
    expect(end.lastResult).toMatchObject({ result: 'It is 1.', num_turns: 3 })
    stage.check({ heldResults: true })
  })

  test('an interrupt ends the turn with a result', async () => {
    const stage = open({ turns: [works] })
    stage.user('Go')
    await stage.frame(({ subtype }) => subtype === 'init')
    expect(await stage.ask({ subtype: 'interrupt' })).toMatchObject({
      subtype: 'success',
      response: { still_queued: [] },
    })
    expect(await stage.result()).toMatchObject({ subtype: 'error_during_execution', is_error: true })
    stage.check({ cut: true })
  })
})
