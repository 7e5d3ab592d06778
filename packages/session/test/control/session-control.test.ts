import type { JsonObject } from '@tutti/protocol'
import { describe, expect, test } from 'vitest'
import { stageOpener } from '../support/open-stage.ts'
import { says, works } from '../support/scripted-chat.ts'
import type { Frame } from '../support/session-stage.ts'

const open = stageOpener()

describe('initialize', () => {
  test('is answered also when the input ends right after it', async () => {
    const stage = open()
    const asked = stage.ask({ subtype: 'initialize' })
    stage.endInput()
    expect(await asked).toMatchObject({ subtype: 'success' })
    expect(await stage.session.done).toMatchObject({ exitCode: 0 })
  })

  test('tells commands, agents, models and what is understood, and no secret', async () => {
    const stage = open({ options: { env: { ANTHROPIC_API_KEY: 'sk-ant-0123456789' } } })
    const { response } = await stage.ask({ subtype: 'initialize' })
    expect(response).toMatchObject({
      agents: [{ name: 'general-purpose', description: 'For anything' }],
      models: [{ value: 'sonnet', displayName: 'Sonnet', description: 'A model' }],
      output_style: 'default',
      available_output_styles: ['default'],
      account: {},
      hook_on_failure_supported: true,
      mcp_servers_applied: true,
    })
    expect((response as JsonObject)['commands']).toContainEqual(expect.objectContaining({ name: 'help' }))
    expect((response as JsonObject)['capabilities']).toContain('x_tutti_skip_agent')
    expect(JSON.stringify(stage.frames)).not.toContain('0123456789')
  })

  test('a bare repetition gets the same answer and resets nothing', async () => {
    const stage = open({ config: { permissionPromptTool: 'stdio' } })
    const bare = await stage.ask({ subtype: 'initialize' })
    await stage.ask({
      subtype: 'initialize',
      systemPrompt: 'Be brief.',
      appendSystemPrompt: 'And kind.',
      agents: { poet: { description: 'Writes', prompt: 'Write.' } },
      jsonSchema: { type: 'object' },
      hooks: { UserPromptSubmit: [{ hookCallbackIds: ['hook_0'] }] },
    })
    const again = await stage.ask({ subtype: 'initialize' })
    expect(Object.keys(again['response'] as JsonObject)).toEqual(Object.keys(bare['response'] as JsonObject))
    expect((again['response'] as JsonObject)['agents']).toContainEqual({
      name: 'poet',
      description: 'Writes',
    })
    stage.user('Hi')
    stage.reply((await stage.question('hook_callback'))['request_id'], {})
    await stage.result()
    expect(stage.chat().config).toMatchObject({ systemPrompt: 'Be brief.', jsonSchema: { type: 'object' } })
    expect(stage.chat().config.appendSystemPrompt).toContain('And kind.')
    expect(stage.setup().agents).toHaveProperty('poet')
  })

  test.each<[string, JsonObject, string | undefined]>([
    ['absent', {}, undefined],
    ['a text', { systemPrompt: 'Be brief.' }, 'Be brief.'],
    ['several texts', { systemPrompt: ['Be brief.', 'Be kind.'] }, 'Be brief.\n\nBe kind.'],
    ['one empty text', { systemPrompt: [''] }, ''],
  ])('a system prompt that is %s', async (_name, fields, expected) => {
    const stage = open()
    await stage.ask({ subtype: 'initialize', ...fields })
    stage.user('Hi')
    await stage.result()
    expect(stage.chat().config.systemPrompt).toBe(expected)
  })

  test('fields that cannot be meant are answered with an error, and nothing is applied', async () => {
    const stage = open()
    const answer = await stage.ask({ subtype: 'initialize', systemPrompt: 'Be brief.', hooks: 'all' })
    expect(answer).toMatchObject({ subtype: 'error', error: expect.stringContaining('"hooks"') as string })
    stage.user('Hi')
    await stage.result()
    expect(stage.chat().config.systemPrompt).toBeUndefined()
  })

  test('servers that run on our side reach the chat when they come before the first message', async () => {
    const stage = open()
    const { response } = await stage.ask({
      subtype: 'initialize',
      mcpServers: { files: { command: 'files-server' }, odd: {} },
    })
    expect(response).toMatchObject({ mcp_servers_applied: true })
    stage.user('Hi')
    await stage.result()
    expect(stage.chat().servers).toEqual({ files: { command: 'files-server' } })
    const late = await stage.ask({ subtype: 'initialize', mcpServers: { more: { command: 'more' } } })
    expect(late['response']).toMatchObject({ mcp_servers_applied: true })
    expect(stage.chat().servers).toEqual({ more: { command: 'more' } })
  })

  test('a host without a prompt hears what was said before, then a result', async () => {
    const stage = open({
      options: {
        earlier: {
          sessionId: 's',
          messages: [
            { role: 'user', content: 'Hi' },
            { role: 'assistant', content: 'Hello.' },
          ],
        },
      },
    })
    await stage.ask({ subtype: 'initialize', hasPrompt: false })
    await stage.result()
    expect(stage.order()).toEqual(['control_response/success', 'user', 'assistant', 'result/success'])
    expect(stage.frames.slice(1, 3)).toMatchObject([{ isReplay: true }, { isReplay: true }])
    stage.check()
    await stage.ask({ subtype: 'initialize', hasPrompt: false })
    expect(stage.results()).toHaveLength(1)
    stage.user('And now?')
    await stage.result(2)
    expect(
      stage
        .chat()
        .messages.slice(0, 3)
        .map(({ content }) => content),
    ).toEqual(['Hi', 'Hello.', 'And now?'])
  })

  test('a desk that cannot be opened is an error, and the next try may succeed', async () => {
    let tries = 0
    const stage = open({
      options: {
        models() {
          if (++tries === 1) throw new Error('no settings')
          return []
        },
      },
    })
    expect(await stage.ask({ subtype: 'initialize' })).toMatchObject({
      subtype: 'error',
      error: 'no settings',
    })
    expect(await stage.ask({ subtype: 'initialize' })).toMatchObject({ subtype: 'success' })
  })
})

describe('the conversation', () => {
  test('the mode is set, in the words of either family', async () => {
    const stage = open()
    expect(await stage.ask({ subtype: 'set_permission_mode', mode: 'plan' })).toMatchObject({
      response: { mode: 'plan' },
    })
    stage.user('Hi')
    expect(await stage.frame(({ subtype }) => subtype === 'init')).toMatchObject({ permissionMode: 'plan' })
    await stage.result()
    await stage.ask({ subtype: 'set_permission_mode', mode: 'fullAccess' })
    expect(stage.chat().config.permissions.defaultMode).toBe('bypassPermissions')
  })

  test.each<[string, JsonObject]>([
    ['a mode that is unknown', { subtype: 'set_permission_mode', mode: 'wild' }],
    ['a mode that is no text', { subtype: 'set_permission_mode' }],
    ['a model that is no text', { subtype: 'set_model', model: 42 }],
    ['an empty model', { subtype: 'set_model', model: '' }],
    ['tokens that are no number', { subtype: 'set_max_thinking_tokens', max_thinking_tokens: 'many' }],
    ['tokens below zero', { subtype: 'set_max_thinking_tokens', max_thinking_tokens: -1 }],
    ['no tokens', { subtype: 'set_max_thinking_tokens' }],
    ['a configuration that is none', { subtype: 'set_config' }],
    ['settings that are none', { subtype: 'apply_flag_settings', settings: [] }],
    ['no task', { subtype: 'stop_task' }],
    ['servers that are none', { subtype: 'mcp_set_servers' }],
    ['a reconnection without a server', { subtype: 'mcp_reconnect' }],
    ['a reconnection of a server that is not there', { subtype: 'mcp_reconnect', serverName: 'x' }],
    ['a switch without a position', { subtype: 'mcp_toggle', serverName: 'x' }],
    ['a message without a server', { subtype: 'mcp_message', message: {} }],
    ['a message for a server that is not there', { subtype: 'mcp_message', server_name: 'x', message: {} }],
    ['a channel that is unknown', { subtype: 'subscribe', channel: 'weather' }],
    ['an interrupt of another session', { subtype: 'interrupt', session_id: 'another' }],
    ['a task that is unknown', { subtype: 'x_tutti_task_state', task_id: 'w1' }],
    ['a request that is unknown', { subtype: 'rewind_files' }],
    ['one of ours that is unknown', { subtype: 'x_tutti_dance' }],
  ])('%s is an error', async (_name, request) => {
    const answer = await open().ask(request)
    expect(answer).toMatchObject({ subtype: 'error' })
    expect(answer['error']).not.toBe('')
  })

  test('an unknown request is named', async () => {
    expect(await open().ask({ subtype: 'rewind_files' })).toMatchObject({
      error: expect.stringContaining('rewind_files') as string,
    })
  })

  test('the model is set and reset', async () => {
    const stage = open({ config: { model: 'haiku' } })
    await stage.ask({ subtype: 'set_model', model: 'opus' })
    stage.user('Hi')
    await stage.result()
    expect(stage.chat().config.model).toBe('opus')
    await stage.ask({ subtype: 'set_model' })
    expect(stage.chat().config.model).toBe('haiku')
    await stage.ask({ subtype: 'set_max_thinking_tokens', max_thinking_tokens: 2000 })
    expect(stage.chat().config.thinkingTokens).toBe(2000)
    await stage.ask({ subtype: 'set_max_thinking_tokens', max_thinking_tokens: null })
    expect(stage.chat().config.thinkingTokens).toBeUndefined()
  })

  test('a configuration is applied as far as it is known', async () => {
    const stage = open()
    const { response } = await stage.ask({
      subtype: 'set_config',
      config: { model: 'opus', permissionMode: 'plan', colour: 'red' },
    })
    expect(response).toMatchObject({
      updated: { model: 'opus', permissionMode: 'plan' },
      errors: { colour: 'it is not known' },
    })
  })

  test('settings of a flag are applied', async () => {
    const stage = open({ config: { disallowedTools: ['Bash'] } })
    await stage.ask({
      subtype: 'apply_flag_settings',
      settings: { model: 'opus', permissions: { allow: ['Read'], defaultMode: 'acceptEdits' } },
    })
    stage.user('Hi')
    await stage.result()
    expect(stage.chat().config).toMatchObject({
      model: 'opus',
      permissions: { allow: ['Read'], deny: ['Bash'], defaultMode: 'acceptEdits' },
    })
  })

  test.each([
    ['permissions.allow', { permissions: { allow: 'x' } }],
    ['permissions.deny', { permissions: { allow: [], deny: ['Read', 1] } }],
    ['permissions.defaultMode', { permissions: { defaultMode: 1 } }],
    ['permissions', { permissions: [] }],
    ['effortLevel', { effortLevel: 3 }],
    ['one of minimal, low', { effortLevel: 'zap' }],
    ['alwaysThinkingEnabled', { alwaysThinkingEnabled: 'no' }],
    ['Bash(', { permissions: { ask: ['Bash('] } }],
    ['model', { permissions: { allow: ['Read'] }, model: 7 }],
  ])('settings of a flag with a wrong %s change nothing', async (key, settings) => {
    const stage = open({ config: { disallowedTools: ['Bash'] } })
    const answer = await stage.ask({ subtype: 'apply_flag_settings', settings })
    expect(answer).toMatchObject({ subtype: 'error', error: expect.stringContaining(key) as string })
    stage.user('Hi')
    expect(await stage.result()).toMatchObject({ subtype: 'success' })
    expect(stage.chat().config.permissions).toEqual({
      allow: [],
      ask: [],
      deny: ['Bash'],
      defaultMode: 'default',
    })
  })

  test('settings are told without the values of variables, headers and commands', async () => {
    const stage = open({
      config: {
        settings: {
          model: 'opus',
          env: { SOME_TOKEN: 'abcdefgh1' },
          mcpServers: { a: { url: 'https://x', headers: { Authorization: 'Bearer zzz999zzz' } } },
          tutti: { concurrency: 3, backends: { b: { kind: 'cli', env: { K: 'v' } } } },
        },
      },
    })
    const { response } = await stage.ask({ subtype: 'get_settings' })
    expect(response).toMatchObject({
      effective: {
        model: 'opus',
        env: { SOME_TOKEN: '[hidden]' },
        mcpServers: { a: '[hidden]' },
        tutti: { concurrency: 3, backends: { b: '[hidden]' } },
      },
      applied: { model: 'opus' },
    })
  })

  test('lists are given in the shapes of both families', async () => {
    const stage = open()
    expect((await stage.ask({ subtype: 'list_models' }))['response']).toMatchObject({
      models: [{ value: 'sonnet' }],
    })
    expect((await stage.ask({ subtype: 'get_available_models' }))['response']).toMatchObject({
      availableModels: [{ modelId: 'sonnet', name: 'Sonnet' }],
      rawModels: [{ id: 'sonnet' }],
    })
    expect((await stage.ask({ subtype: 'get_available_modes' }))['response']).toMatchObject({
      availableModes: expect.arrayContaining([expect.objectContaining({ id: 'plan' })]) as object,
    })
    expect((await stage.ask({ subtype: 'background_tasks' }))['response']).toEqual({ tasks: [] })
    expect((await stage.ask({ subtype: 'subscribe', channel: 'commands' }))['response']).toEqual({
      subscribed: true,
      channel: 'commands',
    })
    expect(await stage.frame(({ type }) => type === 'control_notification')).toMatchObject({
      channel: 'commands',
      data: { commands: expect.arrayContaining([expect.objectContaining({ name: 'help' })]) as object },
    })
    expect((await stage.ask({ subtype: 'unsubscribe', channel: 'commands' }))['response']).toMatchObject({
      unsubscribed: true,
    })
  })

  test('how full the context is counts the last answer', async () => {
    const stage = open({ turns: [says('Hi')] })
    stage.user('Hi')
    await stage.result()
    expect((await stage.ask({ subtype: 'get_context_usage' }))['response']).toMatchObject({
      totalTokens: 15,
      model: 'scripted',
    })
  })
})

describe('answers', () => {
  test('an id that comes again while it is open gets the same answer twice', async () => {
    const stage = open()
    const line = { type: 'control_request', request_id: 'r', request: { subtype: 'initialize' } }
    stage.send(line, line)
    const given = (): Frame[] =>
      stage.frames.filter(({ response }) => (response as JsonObject | undefined)?.['request_id'] === 'r')
    await stage.frame(() => given().length >= 2)
    await stage.ask({ subtype: 'mcp_status' })
    const answers = given()
    expect(answers).toHaveLength(2)
    expect(answers[0]).toEqual(answers[1])
  })

  test('a withdrawn request is answered with an error, once', async () => {
    const stage = open()
    stage.send(
      { type: 'control_request', request_id: 'r', request: { subtype: 'initialize' } },
      { type: 'control_cancel_request', request_id: 'r' },
    )
    stage.endInput()
    await stage.session.done
    expect(stage.frames).toMatchObject([{ response: { subtype: 'error', request_id: 'r' } }])
  })

  test('a request that takes too long is answered with an error', async () => {
    const stage = open({ options: { models: () => new Promise(() => {}) } })
    stage.send({ type: 'control_request', request_id: 'r', request: { subtype: 'list_models' } })
    await stage.desk.clock.advance(60_000)
    expect(stage.frames).toMatchObject([
      { response: { subtype: 'error', error: expect.stringContaining('60 s') as string } },
    ])
  })

  test('the end of the session answers what is still open after its time', async () => {
    const stage = open({ options: { models: () => new Promise(() => {}) } })
    stage.send({ type: 'control_request', request_id: 'r', request: { subtype: 'list_models' } })
    stage.endInput()
    await stage.desk.clock.advance(0)
    await stage.desk.clock.advance(3000)
    await stage.session.done
    expect(stage.frames).toMatchObject([{ response: { subtype: 'error', error: 'the session has ended' } }])
  })

  test('while a turn runs, requests are answered', async () => {
    const stage = open({ turns: [works] })
    stage.user('Hi')
    await stage.frame(({ subtype }) => subtype === 'init')
    expect(await stage.ask({ subtype: 'mcp_status' })).toMatchObject({ response: { mcpServers: [] } })
  })
})
