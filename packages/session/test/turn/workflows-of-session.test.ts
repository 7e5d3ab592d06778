import type { JsonObject } from '@tutti/protocol'
import { describe, expect, test } from 'vitest'
import { stageOpener } from '../support/open-stage.ts'
import { says, uses, works } from '../support/scripted-chat.ts'
import { type Frame, type SessionStage } from '../support/session-stage.ts'
import { script } from '../workflow/support/desk-stage.ts'

const open = stageOpener()
const bypass = { permissionMode: 'bypassPermissions' }
const quick = uses('Workflow', { script: script('return 1') })
const slow = uses('Workflow', { script: script("return await agent('x', { label: 'slow' })") })
const hanging = { table: { slow: { hang: true as const } } }

function isNotified(frame: Frame): boolean {
  return frame['subtype'] === 'task_notification'
}

/** The first turn is over and its result waits. */
async function held(stage: SessionStage, text = 'Done.'): Promise<void> {
  await stage.frame(({ type, message }) => type === 'assistant' && JSON.stringify(message).includes(text))
  await stage.desk.clock.advance(0)
}

/** So many workflows have an agent that works. */
async function agents(stage: SessionStage, count: number): Promise<void> {
  await stage.frame(() => {
    const tasks = stage.frames.filter(({ workflow_progress: rows }) => rows !== undefined)
    return new Set(tasks.map(({ task_id: id }) => id)).size >= count
  })
}

/** Positions of the first frames that are described so. */
function places(stage: SessionStage, ...kinds: string[]): number[] {
  return kinds.map(kind => stage.order().indexOf(kind))
}

describe('a workflow that outlives its turn', () => {
  test('is told of before the result of its turn, then in a turn of its own', async () => {
    const stage = open({ config: bypass, turns: [slow, says('It was stopped.')], desk: hanging })
    stage.user('Go')
    await stage.result()
    stage.check({ cut: true })
    const started = await stage.frame(({ subtype }) => subtype === 'task_started')
    await stage.ask({ subtype: 'stop_task', task_id: started['task_id'] ?? '' })
    const second = await stage.result(2)
    expect(second).toMatchObject({ origin: { kind: 'task-notification' }, result: 'It was stopped.' })
    const said = stage.frames.find(({ origin }) => origin !== undefined)
    expect(said).toMatchObject({ type: 'user', origin: { kind: 'task-notification' }, isSynthetic: true })
    stage.endInput()
    await stage.session.done
    stage.check()
  })

  test('keeps a session alive whose input has ended, and comes before its last result', async () => {
    const stage = open({
      config: bypass,
      turns: [uses('Workflow', { script: script("return await agent('x', { label: 'a' })") })],
      desk: { table: { a: { afterMs: 5000, ok: 'ok' } } },
    })
    stage.user('Go')
    await stage.result()
    stage.endInput()
    await agents(stage, 1)
    await stage.desk.clock.advance(5000)
    const end = await stage.session.done
    expect(stage.results()).toHaveLength(2)
    expect(end.workflows).toMatchObject([{ status: 'completed' }])
    expect(stage.order().lastIndexOf('result/success')).toBe(stage.frames.length - 1)
    stage.check()
  })

  test('without a model its end is told in the words of its summary', async () => {
    const stage = open({ config: bypass, modelId: null })
    await stage.desk.save('demo', script('return 1'))
    stage.user('/demo')
    stage.endInput()
    const end = await stage.session.done
    expect(end.lastResult).toMatchObject({
      subtype: 'success',
      result: expect.stringContaining('"demo" completed') as string,
    })
    expect(stage.chat().heard).toEqual([])
    stage.check({ heldResults: true })
  })
})

describe('results that wait', () => {
  test.each<[string, JsonObject | undefined, Record<string, string>]>([
    ['a host that says whether it has a prompt', { subtype: 'initialize', hasPrompt: true }, {}],
    ['a process that the second client family started', undefined, { CODEBUDDY_CODE_ENTRYPOINT: 'sdk' }],
  ])(
    '%s sees the end of the workflow and the turn about it before the one result',
    async (_name, request, env) => {
      const stage = open({ config: bypass, options: { env }, turns: [quick, says('It is 1.')] })
      if (request !== undefined) await stage.ask(request)
      stage.user('Go')
      expect(await stage.result()).toMatchObject({ result: 'It is 1.', num_turns: 3 })
      expect(stage.results()[0]).not.toHaveProperty('origin')
      const [notified, result] = places(stage, 'system/task_notification/completed', 'result/success')
      expect(notified).toBeLessThan(result ?? 0)
      stage.endInput()
      await stage.session.done
      expect(stage.results()).toHaveLength(1)
      stage.check({ heldResults: true })
    },
  )

  test('a new message releases the result that waits', async () => {
    const stage = open({ config: bypass, desk: hanging, turns: [slow, says('Sure.')] })
    await stage.ask({ subtype: 'initialize', hasPrompt: true })
    stage.user('Go')
    await held(stage, 'Done.')
    expect(stage.results()).toEqual([])
    stage.user('Hello?')
    expect(await stage.result()).toMatchObject({ result: 'Done.' })
    stage.check({ cut: true, heldResults: true })
    // The second has started nothing that it could wait for.
    expect(await stage.result(2)).toMatchObject({ result: 'Sure.' })
    expect(stage.frames.some(isNotified)).toBe(false)
    await stage.ask({ subtype: 'interrupt' })
  })

  test('several workflows end before the one result', async () => {
    const both = script("return await agent('x', { label: 'a' })")
    const stage = open({
      config: bypass,
      deaf: true,
      prompts: ['Go'],
      desk: { table: { a: { afterMs: 1000, ok: 'ok' } } },
      turns: [
        async (message, scene, chat) => {
          await uses('Workflow', { script: both })(message, scene, chat)
          return uses('Workflow', { script: both })(message, scene, chat)
        },
      ],
    })
    await held(stage)
    await agents(stage, 2)
    await stage.desk.clock.advance(1000)
    await stage.session.done
    expect(stage.results()).toHaveLength(1)
    expect(
      stage
        .chat()
        .messages.filter(({ content }) => JSON.stringify(content).startsWith('"<task-notification>')),
    ).toHaveLength(2)
    stage.check({ heldResults: true })
    expect(stage.frames.filter(isNotified)).toHaveLength(2)
  })

  test('a workflow that pauses because the account cannot go on ends the wait', async () => {
    const stage = open({
      config: { ...bypass, print: true },
      deaf: true,
      prompts: ['Go'],
      desk: { table: { slow: { die: 'quota' } } },
      turns: [slow, says('It is paused.')],
    })
    const end = await stage.session.done
    expect(end).toMatchObject({ reason: 'ended', exitCode: 0, workflows: [{ status: 'paused' }] })
    expect(stage.order()).toContain('system/task_updated/paused')
    expect(stage.order()).toContain('system/task_notification/stopped')
    expect(stage.results()).toMatchObject([{ result: 'It is paused.' }])
    stage.check({ heldResults: true })
  })

  test('the wait has an end when one is given', async () => {
    const stage = open({
      config: { ...bypass, print: true, maxWaitMs: 60_000 },
      deaf: true,
      prompts: ['Go'],
      desk: hanging,
      turns: [slow],
    })
    await held(stage, 'Done.')
    await stage.desk.clock.advance(59_000)
    expect(stage.results()).toEqual([])
    await stage.desk.clock.advance(1000)
    const end = await stage.session.done
    expect(end).toMatchObject({ reason: 'ended', exitCode: 0, workflows: [{ status: 'killed' }] })
    const [notified, result] = places(stage, 'system/task_notification/stopped', 'result/success')
    expect(notified).toBeGreaterThan(0)
    expect(notified).toBeLessThan(result ?? 0)
    expect(stage.notes.join('\n')).toContain('the wait of 60 s for workflows is over')
    stage.check({ heldResults: true })
  })
})

describe('interrupt', () => {
  test('stops turn and workflows: receipt, terminal pair, late rows, and no turn about it', async () => {
    const stage = open({ config: bypass, desk: hanging, turns: [slow, works, says('Hello again.')] })
    stage.user('Go')
    await stage.result()
    stage.user('And more')
    await stage.frame(({ subtype }) => subtype === 'init', stage.frames.length)
    expect(
      await stage.ask({ subtype: 'interrupt', session_id: stage.frames[0]?.['session_id'] ?? '' }),
    ).toMatchObject({ response: { still_queued: [] } })
    expect(await stage.result(2)).toMatchObject({ subtype: 'error_during_execution' })
    const [receipt, killed, stopped] = places(
      stage,
      'control_response/success',
      'system/task_updated/killed',
      'system/task_notification/stopped',
    )
    const result = stage.order().lastIndexOf('result/error_during_execution')
    expect([receipt, killed, stopped, result]).toEqual(
      [receipt, killed, stopped, result].toSorted((a, b) => (a ?? 0) - (b ?? 0)),
    )
    await stage.desk.desk.idle()
    stage.user('Still there?')
    expect(await stage.result(3)).toMatchObject({ result: 'Hello again.' })
    // The model hears of the stop with the next message.
    expect(
      stage.chat().messages.some(({ content }) => JSON.stringify(content).includes('<task-notification>')),
    ).toBe(true)
    expect(stage.frames.some(({ origin }) => origin !== undefined)).toBe(false)
    stage.endInput()
    await stage.session.done
    stage.check()
  })

  test('again, and without anything that runs, gets only its receipt', async () => {
    const stage = open()
    await stage.ask({ subtype: 'interrupt' })
    await stage.ask({ subtype: 'interrupt', reason: 'again' })
    expect(stage.order()).toEqual(['control_response/success', 'control_response/success'])
  })

  test('of another session changes nothing', async () => {
    const stage = open({ turns: [works] })
    stage.user('Go')
    await stage.frame(({ subtype }) => subtype === 'init')
    expect(await stage.ask({ subtype: 'interrupt', session_id: 'other' })).toMatchObject({ subtype: 'error' })
    expect(stage.results()).toEqual([])
  })

  test('stops the turn only for a host that can stop tasks by themselves', async () => {
    const stage = open({ config: bypass, desk: hanging, turns: [slow, works] })
    await stage.ask({ subtype: 'initialize', perTaskStopAffordance: true })
    stage.user('Go')
    await stage.result()
    stage.user('And more')
    await stage.frame(({ subtype }) => subtype === 'init', stage.frames.length)
    await stage.ask({ subtype: 'interrupt' })
    await stage.result(2)
    expect(stage.frames.some(isNotified)).toBe(false)
    expect(stage.desk.desk.running).toHaveLength(1)
    stage.check({ cut: true })
  })

  test('leaves messages that wait, and names them', async () => {
    const stage = open({ turns: [works, says('Next.')] })
    stage.user('Go', { uuid: 'u1' })
    await stage.frame(({ subtype }) => subtype === 'init')
    stage.user('Then', { uuid: 'u2' })
    expect(await stage.ask({ subtype: 'interrupt' })).toMatchObject({ response: { still_queued: ['u2'] } })
    expect(await stage.result(2)).toMatchObject({ result: 'Next.' })
  })

  test('releases a result that waits', async () => {
    const stage = open({ config: bypass, desk: hanging, turns: [slow] })
    await stage.ask({ subtype: 'initialize', hasPrompt: true })
    stage.user('Go')
    await held(stage, 'Done.')
    await stage.ask({ subtype: 'interrupt' })
    expect(await stage.result()).toMatchObject({ subtype: 'success', result: 'Done.' })
    const [stopped, result] = places(stage, 'system/task_notification/stopped', 'result/success')
    expect(stopped).toBeGreaterThan(0)
    expect(stopped).toBeLessThan(result ?? 0)
  })

  test('right behind a message ends its turn before the model is asked, and no other', async () => {
    for (const waiting of [[], ['u3']]) {
      const stage = open({ turns: [says('Of the second.')] })
      const frame = { type: 'user', parent_tool_use_id: null }
      const message = (content: string): JsonObject => ({ role: 'user', content })
      const request = { subtype: 'interrupt' }
      const lines = [
        { ...frame, message: message('Go'), uuid: 'u1' },
        ...waiting.map(uuid => ({ ...frame, message: message('Then'), uuid })),
        { type: 'control_request', request_id: 'i', request },
      ]
      stage.send(Buffer.from(lines.map(line => `${JSON.stringify(line)}\n`).join('')))
      expect(await stage.frame(({ type }) => type === 'control_response')).toMatchObject({
        response: { response: { still_queued: waiting } },
      })
      expect(await stage.result()).toMatchObject({ subtype: 'error_during_execution' })
      expect(stage.chat().heard).toEqual([])
      if (waiting.length === 0) stage.user('Then')
      expect(await stage.result(2)).toMatchObject({ result: 'Of the second.' })
    }
  })

  test('that meets a turn whose answer is complete leaves it and the next one what they are', async () => {
    const stage = open({ turns: [says('All of it.'), says('Next.')] })
    await stage.ask({ subtype: 'initialize', hooks: { Stop: [{ hookCallbackIds: ['h'] }] } })
    stage.user('Go')
    await stage.question('hook_callback')
    stage.user('Then')
    await stage.ask({ subtype: 'interrupt' })
    expect(await stage.result()).toMatchObject({ subtype: 'success', result: 'All of it.' })
    stage.reply((await stage.question('hook_callback', 2))['request_id'], {})
    expect(await stage.result(2)).toMatchObject({ subtype: 'success', result: 'Next.' })
  })

  test('a launch that is on its way comes to nothing', async () => {
    const stage = open({ config: { permissionPromptTool: 'stdio' }, turns: [quick] })
    stage.user('Go')
    const question = await stage.question('can_use_tool')
    await stage.ask({ subtype: 'interrupt' })
    await stage.frame(
      ({ type, request_id: id }) => type === 'control_cancel_request' && id === question['request_id'],
    )
    expect(await stage.result()).toMatchObject({ subtype: 'error_during_execution' })
    expect(stage.order()).not.toContain('system/task_started')
    stage.check({ cut: true })
  })
})

describe('a command of a workflow', () => {
  test('launches it as a tool use that no model made', async () => {
    const stage = open({ config: bypass, turns: [says('It is there.')] })
    await stage.desk.save('demo', script('return args'))
    stage.user('/demo depth=2')
    const result = await stage.result()
    expect(result).toMatchObject({
      subtype: 'success',
      num_turns: 0,
      result: expect.stringContaining('Workflow launched in background. Task ID: ') as string,
    })
    const use = await stage.frame(({ type }) => type === 'assistant')
    const { content } = use['message'] as { content: JsonObject[] }
    expect(content[0]).toMatchObject({
      type: 'tool_use',
      name: 'Workflow',
      input: { name: 'demo', args: { depth: 2 } },
    })
    const launched = stage.frames.find(({ type }) => type === 'user')
    expect(launched?.['tool_use_result']).toMatchObject({ status: 'async_launched', workflowName: 'demo' })
    expect(await stage.result(2)).toMatchObject({ result: 'It is there.' })
    expect(stage.chat().messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'user'])
    stage.endInput()
    await stage.session.done
    stage.check()
  })

  test('is answered without the model when it needs none', async () => {
    const stage = open()
    stage.user('/help')
    expect(await stage.result()).toMatchObject({
      subtype: 'success',
      num_turns: 0,
      result: expect.stringContaining('Commands:') as string,
    })
    expect(stage.chat().heard).toEqual([])
    stage.check({ cut: true })
  })

  test('that cannot be launched ends with an error', async () => {
    const stage = open({ config: { ...bypass, disallowedTools: ['Workflow'] } })
    await stage.desk.save('demo', script('return 1'))
    stage.user('/demo')
    expect(await stage.result()).toMatchObject({
      is_error: true,
      errors: [expect.stringContaining('Workflow')],
    })
    stage.check({ cut: true })
  })

  test('any other slash goes to the model', async () => {
    const stage = open()
    stage.user('/etc/hosts is what?')
    await stage.result()
    expect(stage.chat().heard[0]?.content).toBe('/etc/hosts is what?')
  })

  test('where workflows are switched off there is no trace of them', async () => {
    const stage = open({ desk: { desk: { env: { TUTTI_DISABLE_WORKFLOWS: '1' } } } })
    await stage.desk.save('demo', script('return 1'))
    await stage.ask({ subtype: 'initialize' })
    stage.user('/demo')
    await stage.result()
    expect(stage.chat().heard).toHaveLength(1)
    expect(stage.frames.find(({ subtype }) => subtype === 'init')).toMatchObject({
      tools: [],
      slash_commands: [],
      capabilities: [],
    })
    expect(JSON.stringify(stage.frames)).not.toContain('orkflow')
  })
})
