import type { JsonObject, JsonValue } from '@tutti/protocol'
import { describe, expect, test } from 'vitest'
import { stageOpener } from '../support/open-stage.ts'
import { uses } from '../support/scripted-chat.ts'
import { type Frame, type SessionStage } from '../support/session-stage.ts'

const open = stageOpener()
const TOOLS = [
  {
    name: 'add',
    description: 'Adds',
    inputSchema: { type: 'object', properties: { a: { type: 'number' } } },
  },
]

interface Served {
  methods: string[]
  stop(): void
}

/** Answers `mcp_message` as a server would. */
function serve(
  stage: SessionStage,
  results: Record<string, JsonValue | ((params: JsonObject) => JsonValue)>,
): Served {
  const methods: string[] = []
  let seen = 0
  let going = true
  const loop = async (): Promise<void> => {
    while (going) {
      const frame: Frame = await stage.question('mcp_message', ++seen)
      const { message } = frame['request'] as { message: JsonObject }
      const method = message['method'] as string
      methods.push(method)
      const result = results[method]
      const params = (message['params'] ?? {}) as JsonObject
      const answer: JsonObject =
        method === 'notifications/initialized'
          ? { jsonrpc: '2.0', result: {}, id: 0 }
          : result === undefined
            ? { jsonrpc: '2.0', id: message['id'] ?? 0, error: { code: -32601, message: `no ${method}` } }
            : {
                jsonrpc: '2.0',
                id: message['id'] ?? 0,
                result: typeof result === 'function' ? result(params) : result,
              }
      stage.reply(frame['request_id'], { mcp_response: answer })
    }
  }
  void loop()
  return { methods, stop: () => (going = false) }
}

const INITIALIZED = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'math', version: '1' },
}

describe("the host's servers", () => {
  test('give the model their tools before its first turn, and answer calls', async () => {
    const stage = open({ turns: [uses('mcp__math__add', { a: 1 })] })
    const { methods } = serve(stage, {
      initialize: INITIALIZED,
      'tools/list': { tools: TOOLS },
      'tools/call': params => ({
        content: [{ type: 'text', text: JSON.stringify(params) }],
        structuredContent: { sum: 3 },
      }),
    })
    stage.send({
      type: 'control_request',
      request_id: 'i',
      request: { subtype: 'initialize', sdkMcpServers: ['math'] },
    })
    stage.user('Go')
    await stage.result()
    expect(methods).toEqual(['initialize', 'notifications/initialized', 'tools/list', 'tools/call'])
    expect(stage.frames.find(({ subtype }) => subtype === 'init')).toMatchObject({
      tools: expect.arrayContaining(['mcp__math__add']) as object,
      mcp_servers: [{ name: 'math', status: 'connected' }],
    })
    const used = stage.frames.find(({ type }) => type === 'user')
    expect(used).toMatchObject({ tool_use_result: { sum: 3 } })
    expect(JSON.stringify(used)).toContain('{\\"name\\":\\"add\\",\\"arguments\\":{\\"a\\":1}}')
    expect((await stage.ask({ subtype: 'mcp_status' }))['response']).toMatchObject({
      mcpServers: [
        {
          name: 'math',
          status: 'connected',
          serverInfo: { name: 'math' },
          tools: [{ name: 'mcp__math__add' }],
        },
      ],
    })
    stage.check({ cut: true })
  })

  test('that fail are noted and hold nothing up', async () => {
    const stage = open()
    serve(stage, {})
    await stage.ask({ subtype: 'initialize', sdkMcpServers: ['math'] })
    stage.user('Go')
    await stage.result()
    expect(stage.notes).toEqual(["the host's MCP server math cannot be used: no initialize"])
    expect((await stage.ask({ subtype: 'mcp_status' }))['response']).toMatchObject({
      mcpServers: [{ status: 'failed', error: 'no initialize' }],
    })
  })

  test('that never answer are given up after their time', async () => {
    const stage = open()
    await stage.ask({ subtype: 'initialize', sdkMcpServers: ['math'] })
    stage.user('Go')
    await stage.desk.clock.advance(30_000)
    await stage.result()
    expect(stage.order()).toContain('control_cancel_request')
  })

  test('that are named again are not asked again', async () => {
    const stage = open()
    const { methods } = serve(stage, { initialize: INITIALIZED, 'tools/list': { tools: TOOLS } })
    await stage.ask({ subtype: 'initialize', sdkMcpServers: ['math'] })
    await stage.ask({ subtype: 'initialize' })
    await stage.ask({ subtype: 'initialize', sdkMcpServers: ['math'] })
    stage.user('Go')
    await stage.result()
    expect(methods.filter(method => method === 'initialize')).toHaveLength(1)
  })

  test('may be set anew, and change their tools', async () => {
    const stage = open()
    let tools: JsonValue[] = TOOLS
    serve(stage, { initialize: INITIALIZED, 'tools/list': () => ({ tools }) })
    expect(
      (await stage.ask({ subtype: 'mcp_set_servers', servers: { math: { type: 'sdk', name: 'math' } } }))[
        'response'
      ],
    ).toEqual({
      added: ['math'],
      removed: [],
      errors: {},
    })
    stage.user('Go')
    await stage.result()
    tools = [...TOOLS, { name: 'sub' }, { broken: true }]
    await stage.ask({
      subtype: 'mcp_message',
      server_name: 'math',
      message: { jsonrpc: '2.0', method: 'notifications/tools/list_changed' },
    })
    stage.user('Go')
    await stage.result(2)
    expect(stage.chat().config.extraTools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['mcp__math__add', 'mcp__math__sub']),
    )
    const late = await stage.ask({
      subtype: 'mcp_set_servers',
      servers: { files: { command: 'files' }, broken: { command: 'none' } },
    })
    expect(late['response']).toEqual({
      added: ['files', 'broken'],
      removed: ['math'],
      errors: { broken: 'no such command' },
    })
    expect(stage.chat().servers).toEqual({ files: { command: 'files' }, broken: { command: 'none' } })
    expect((await stage.ask({ subtype: 'mcp_status' }))['response']).toEqual({
      mcpServers: [
        { name: 'files', status: 'connected', tools: [{ name: 'mcp__files__go', description: 'Goes' }] },
        { name: 'broken', status: 'failed', error: 'no such command' },
      ],
    })
    expect(stage.chat().config.extraTools.some(({ name }) => name.startsWith('mcp__'))).toBe(false)
  })

  test('are switched off and on, and connected anew', async () => {
    const stage = open()
    serve(stage, { initialize: INITIALIZED, 'tools/list': { tools: TOOLS } })
    await stage.ask({
      subtype: 'initialize',
      sdkMcpServers: ['math'],
      mcpServers: { files: { command: 'f' } },
    })
    stage.user('Go')
    await stage.result()
    const offered = (): boolean =>
      stage.chat().config.extraTools.some(({ name }) => name.startsWith('mcp__math__'))
    await stage.ask({ subtype: 'mcp_toggle', serverName: 'math', enabled: false })
    expect(offered()).toBe(false)
    expect(JSON.stringify(await stage.ask({ subtype: 'mcp_status' }))).toContain('"disabled"')
    await stage.ask({ subtype: 'mcp_toggle', serverName: 'math', enabled: true })
    expect(offered()).toBe(true)
    expect(await stage.ask({ subtype: 'mcp_reconnect', serverName: 'math' })).toMatchObject({
      subtype: 'success',
    })
    expect(offered()).toBe(true)
    await stage.ask({ subtype: 'mcp_toggle', serverName: 'files', enabled: false })
    await stage.ask({ subtype: 'mcp_reconnect', serverName: 'files' })
    expect(stage.chat().changes).toEqual(['files off', 'reconnect files'])
  })

  test('are answered when they ask by themselves', async () => {
    const stage = open()
    serve(stage, { initialize: INITIALIZED, 'tools/list': { tools: [] } })
    await stage.ask({ subtype: 'initialize', sdkMcpServers: ['math'] })
    const ask = async (message: JsonObject): Promise<unknown> =>
      (await stage.ask({ subtype: 'mcp_message', server_name: 'math', message }))['response']
    expect(await ask({ jsonrpc: '2.0', id: 1, method: 'ping' })).toEqual({
      mcp_response: { jsonrpc: '2.0', id: 1, result: {} },
    })
    expect(await ask({ jsonrpc: '2.0', id: 2, method: 'roots/list' })).toMatchObject({
      mcp_response: { id: 2, error: { code: -32601 } },
    })
  })

  test('fail their calls when the host has left', async () => {
    const stage = open({
      turns: [
        async (message, scene, chat) => {
          stage.endInput()
          await stage.desk.clock.advance(0)
          return uses('mcp__math__add', {})(message, scene, chat)
        },
      ],
    })
    serve(stage, { initialize: INITIALIZED, 'tools/list': { tools: TOOLS } })
    await stage.ask({ subtype: 'initialize', sdkMcpServers: ['math'] })
    stage.user('Go')
    await stage.session.done
    expect(JSON.stringify(stage.frames.find(({ type }) => type === 'user'))).toContain('closed its input')
  })

  test('a tool of the host may answer questions about tools', async () => {
    const answers: unknown[] = []
    const stage = open({
      config: { permissionPromptTool: 'mcp__math__add' },
      turns: [
        async (_message, { permission, signal }) => {
          answers.push(
            await permission?.({
              toolName: 'Bash',
              toolUseId: 't',
              input: { command: 'ls' },
              reason: 'why',
              signal,
            }),
          )
          return {}
        },
      ],
    })
    serve(stage, {
      initialize: INITIALIZED,
      'tools/list': { tools: TOOLS },
      'tools/call': {
        content: [{ type: 'text', text: '{"behavior":"allow","updatedInput":{"command":"pwd"}}' }],
      },
    })
    await stage.ask({ subtype: 'initialize', sdkMcpServers: ['math'] })
    stage.user('Go')
    await stage.result()
    expect(answers).toEqual([{ allowed: true, updatedInput: { command: 'pwd' } }])
  })
})
