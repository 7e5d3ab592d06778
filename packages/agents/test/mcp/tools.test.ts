import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { startMockModel, type MockReply, type MockRequest } from '@tutti-internal/mock-model'
import type { McpServerSettings } from '@tutti/protocol'
import { describe, expect, test } from 'vitest'
import { createProcessGroups } from '../../src/process-groups.ts'
import { modelBackend } from '../model/backend-at.ts'
import { callOf, play, stageFor, type Played } from '../stage/stage.ts'
import { projectWith } from '../tools/project.ts'

interface Answerer {
  answerTo(message: { id?: number; method: string }): Promise<object | undefined>
}

const stdio: McpServerSettings = {
  command: process.execPath,
  args: [fileURLToPath(new URL('servers/stdio.mjs', import.meta.url))],
}
const use = (name: string, input: object = {}): MockReply => ({ toolCalls: [{ name, input }] })

interface Told extends Played {
  requests: MockRequest[]
}

interface Scene {
  servers: Record<string, McpServerSettings>
  replies: MockReply[]
  given?: Parameters<typeof callOf>[0]
  allow?: string[]
}

async function tell({ servers, replies, given, allow = ['mcp__db'] }: Scene): Promise<Told> {
  await using project = await projectWith()
  await using server = await startMockModel({ replies })
  const groups = createProcessGroups()
  const env = { ...process.env, SOME_API_KEY: 'sk-hidden' }
  const workspace = { projectRoot: project.root, env, permissions: { allow }, groups, mcp: { servers } }
  const played = await play(modelBackend('anthropic', server.url, { workspace }), given)
  groups.killAll()
  return { ...played, requests: server.requests }
}

const toldOf = (request: MockRequest | undefined): string => JSON.stringify(request?.body.messages)

test('tools of a server are offered under its name and used', async () => {
  const { outcome, requests, events } = await tell({
    servers: { db: stdio },
    replies: [use('mcp__db__shout', { text: 'hello' }), { text: 'done' }],
  })
  expect(outcome).toMatchObject({ status: 'ok', effects: 'yes' })
  expect(toldOf(requests[1])).toContain('HELLO')
  expect(events.find(event => event.type === 'tool_start')).toMatchObject({
    name: 'mcp__db__shout',
    summary: 'shout',
  })
  const names = (requests[0]!.body.tools as { name: string }[]).map(({ name }) => name)
  expect(names.filter(name => name.startsWith('mcp__'))).toEqual(
    ['child', 'env', 'fail', 'hang', 'shout'].map(name => `mcp__db__${name}`),
  )
})

test('what is no message keeps no message back', async () => {
  const { requests } = await tell({
    servers: { db: { ...stdio, args: [...stdio.args!, 'odd'] } },
    replies: [use('mcp__db__shout', { text: 'hello' }), { text: 'done' }],
  })
  expect(toldOf(requests[1])).toContain('HELLO')
})

test('an answer that is too long fails the use at once, and the next use starts the server anew', async () => {
  const { outcome, requests } = await tell({
    servers: { db: { ...stdio, args: [...stdio.args!, 'long'] } },
    replies: [use('mcp__db__shout', { text: 'a' }), use('mcp__db__shout', { text: 'b' }), { text: 'done' }],
  })
  expect(outcome.status).toBe('ok')
  expect(toldOf(requests[2]).match(/mcp__db__shout failed/g)).toHaveLength(2)
})

test('over http too, with the headers of the settings', async () => {
  const { answerTo } = (await import(new URL('servers/answers.mjs', import.meta.url).href)) as Answerer
  const seen: unknown[] = []
  const http = createServer((request, response) => {
    void (async () => {
      seen.push(request.headers['x-key'])
      if (request.method !== 'POST') return response.writeHead(405).end()
      let text = ''
      for await (const chunk of request) text += String(chunk)
      const answer = await answerTo(JSON.parse(text) as { method: string })
      if (!answer) return response.writeHead(202).end()
      return response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
    })()
  }).listen(0, '127.0.0.1')
  await once(http, 'listening')
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`
  const { requests } = await tell({
    servers: { db: { url, headers: { 'x-key': 'k' } } },
    replies: [use('mcp__db__shout', { text: 'hello' }), { text: 'done' }],
  })
  http.closeAllConnections()
  http.close()
  expect(toldOf(requests[1])).toContain('HELLO')
  expect(new Set(seen)).toEqual(new Set(['k']))
})

test('what a tool complains about is told to the model', async () => {
  const { outcome, requests } = await tell({
    servers: { db: stdio },
    replies: [use('mcp__db__fail'), { text: 'done' }],
  })
  expect(outcome.status).toBe('ok')
  expect(toldOf(requests[1])).toMatch(/it went wrong.*"is_error":true|"is_error":true.*it went wrong/)
})

test('without a rule its tools are asked about, and a denied server is not offered', async () => {
  const { requests, events } = await tell({
    servers: { db: stdio },
    allow: [],
    replies: [use('mcp__db__shout', { text: 'a' }), { text: 'done' }],
  })
  expect(toldOf(requests[1])).toContain('Permission for mcp__db__shout was denied')
  expect(events.find(event => event.type === 'permission')).toMatchObject({
    allowed: false,
    source: 'nobody',
  })
})

test('a server does not see credentials, but what its settings give it', async () => {
  const { requests } = await tell({
    servers: { db: { ...stdio, env: { DB_TOKEN: 'given' } } },
    replies: [use('mcp__db__env'), { text: 'done' }],
  })
  expect(toldOf(requests[1])).toContain('given')
  expect(toldOf(requests[1])).not.toContain('sk-hidden')
})

describe('a server that cannot be used', () => {
  test.each([
    [{ ...stdio, args: [...(stdio.args ?? []), 'broken'] }, 'cannot find the database'],
    [{ command: '/no/such/program' }, 'ENOENT'],
    [{ url: 'http://127.0.0.1:1/' }, ''],
    [{ url: 'nonsense' }, 'no valid url'],
    [{ type: 'sse', url: 'http://127.0.0.1:1/' } as const, 'sse are not supported'],
    [{}, 'no command'],
  ])('leaves the agent its other tools and is noted: %j', async (server: McpServerSettings, reason) => {
    const { outcome, transcript } = await tell({ servers: { db: server }, replies: [{ text: 'done' }] })
    expect(outcome.status).toBe('ok')
    expect(transcript.find(line => line.subtype === 'mcp_unavailable')).toMatchObject({
      server: 'db',
      reason: expect.stringContaining(reason),
    })
  })

  test('is not even tried for an agent that may use none of its tools', async () => {
    const { transcript } = await tell({
      servers: { db: { command: '/no/such/program' } },
      replies: [{ text: 'done' }],
      given: { tools: ['Read'] },
    })
    expect(transcript.find(line => line.subtype === 'mcp_unavailable')).toBeUndefined()
  })
})

test('a stop ends a call, and ending the program ends the server with what it started', async () => {
  await using project = await projectWith()
  await using server = await startMockModel({ replies: [use('mcp__db__child'), use('mcp__db__hang')] })
  const groups = createProcessGroups()
  const workspace = {
    projectRoot: project.root,
    env: process.env,
    permissions: { allow: ['mcp__db'] },
    groups,
    mcp: { servers: { db: stdio } },
  }
  const { context, stop, transcript } = await stageFor()
  const execution = modelBackend('anthropic', server.url, { workspace }).start(callOf(), context)
  for await (const event of execution.events)
    if (event.type === 'tool_start' && event.name === 'mcp__db__hang') stop.abort()
  expect(await execution.result).toMatchObject({ status: 'failed', cause: 'stopped' })
  const pids = /(\d+) (\d+)/.exec(
    JSON.stringify(transcript.find(line => JSON.stringify(line).includes('tool_result'))),
  )
  groups.killAll()
  await gone(Number(pids?.[1]))
  await gone(Number(pids?.[2]))
})

async function gone(pid: number): Promise<void> {
  expect(pid).toBeGreaterThan(1)
  for (;;) {
    const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
    if (state === undefined || state.split(') ')[1]?.startsWith('Z')) return
    await new Promise(resolve => setImmediate(resolve))
  }
}
