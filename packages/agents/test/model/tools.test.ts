import { readFile, writeFile } from 'node:fs/promises'
import { startMockModel, type MockReply, type MockRequest } from '@tutti-internal/mock-model'
import type { PermissionSettings } from '@tutti/protocol'
import { describe, expect, test } from 'vitest'
import type { Wire } from '../../src/model/endpoint.ts'
import { callOf, play, stageFor, type Played } from '../stage/stage.ts'
import { projectWith } from '../tools/project.ts'
import { modelBackend, SECRET } from './backend-at.ts'

const schema = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } }
const use = (name: string, input: unknown): MockReply => ({ toolCalls: [{ name, input }] })

interface Told extends Played {
  requests: MockRequest[]
}

interface Scene {
  wire?: Wire
  replies: MockReply[]
  root: string
  permissions?: PermissionSettings
}

async function tell(
  { wire = 'anthropic', replies, root, permissions }: Scene,
  ...given: Parameters<typeof play> extends [unknown, ...infer Rest] ? Rest : never
): Promise<Told> {
  await using server = await startMockModel({ replies })
  const workspace = { projectRoot: root, env: process.env, ...(permissions && { permissions }) }
  const played = await play(modelBackend(wire, server.url, { workspace }), ...given)
  return { ...played, requests: server.requests }
}

const namesOf = (request: MockRequest | undefined): string[] =>
  ((request?.body.tools ?? []) as { name?: string; function?: { name: string } }[]).map(
    tool => tool.name ?? tool.function?.name ?? '',
  )

describe.each(['anthropic', 'openai'] as const)('over the %s wire', wire => {
  test('a file is read, changed and checked, and the last text is the result', async () => {
    await using project = await projectWith({ 'a.txt': 'helo\n' })
    const { outcome, events, transcript, requests } = await tell(
      {
        wire,
        root: project.root,
        permissions: { allow: ['Bash(cat:*)'] },
        replies: [
          use('Read', { file_path: 'a.txt' }),
          use('Edit', { file_path: 'a.txt', old_string: 'helo', new_string: 'hello' }),
          use('Bash', { command: 'cat a.txt' }),
          { text: 'Fixed.' },
        ],
      },
      { prompt: 'Fix the typo.' },
    )
    expect(outcome).toMatchObject({ status: 'ok', value: 'Fixed.', effects: 'yes', usage: { toolUses: 3 } })
    expect(await readFile(project.path('a.txt'), 'utf8')).toBe('hello\n')
    expect(JSON.stringify(requests[1]?.body.messages)).toContain('1→helo')
    expect(JSON.stringify(requests[3]?.body.messages)).toContain('hello')
    const tools = events.filter(event => event.type === 'tool_start')
    expect(tools).toEqual([
      { type: 'tool_start', name: 'Read', summary: 'a.txt' },
      { type: 'tool_start', name: 'Edit', summary: 'a.txt' },
      { type: 'tool_start', name: 'Bash', summary: 'cat a.txt' },
    ])
    expect(events.filter(event => event.type === 'tool_end')).toHaveLength(3)
    expect(JSON.stringify(transcript)).toContain('"tool_result"')
  })

  test('a problem of a tool is told to the model, which goes on', async () => {
    await using project = await projectWith()
    const { outcome, requests } = await tell({
      wire,
      root: project.root,
      replies: [
        use('Read', { file_path: 'no' }),
        use('Read', '{broken'),
        use('Nope', {}),
        { text: 'Gave up.' },
      ],
    })
    expect(outcome).toMatchObject({ status: 'ok', effects: 'none' })
    const last = JSON.stringify(requests[3]?.body.messages)
    expect(last).toContain('no does not exist')
    expect(last).toContain('not valid JSON')
    expect(last).toContain('There is no tool Nope; the tools are Bash, Edit')
  })
})

test('an object is handed over beside other tools', async () => {
  await using project = await projectWith({ a: '1' })
  const { outcome, requests } = await tell(
    { root: project.root, replies: [use('Read', { file_path: 'a' }), use('StructuredOutput', { n: 1 })] },
    { schema },
  )
  expect(outcome).toMatchObject({ status: 'ok', value: { n: 1 }, effects: 'none' })
  expect(namesOf(requests[0])).toEqual(
    'Bash Edit Glob Grep Read TodoWrite WebFetch Write StructuredOutput'.split(' '),
  )
})

test('what is not permitted is told to the model and has no effect', async () => {
  await using project = await projectWith()
  const { outcome, events, requests } = await tell({
    root: project.root,
    replies: [use('Bash', { command: 'touch made' }), { text: 'Could not.' }],
  })
  expect(outcome).toMatchObject({ status: 'ok', value: 'Could not.', effects: 'none' })
  expect(events.find(event => event.type === 'permission')).toMatchObject({
    tool: 'Bash',
    allowed: false,
    source: 'nobody',
  })
  expect(JSON.stringify(requests[1]?.body.messages)).toContain('Permission for Bash was denied')
  await expect(readFile(project.path('made'))).rejects.toThrow('ENOENT')
})

test('a person can permit it', async () => {
  await using project = await projectWith()
  const replies = [use('Bash', { command: 'touch made' }), { text: 'Done.' }]
  const permission = async () => ({ allowed: true, reason: 'yes' })
  const { outcome } = await tell({ root: project.root, replies }, {}, { permission })
  expect(outcome).toMatchObject({ status: 'ok', effects: 'yes' })
  expect(await readFile(project.path('made'), 'utf8')).toBe('')
})

test('type and call narrow the tools, and so does a denial', async () => {
  await using project = await projectWith()
  const agentType = { name: 'reader', source: 'test', tools: ['Read', 'Grep', 'Bash', 'Agent', 'Workflow'] }
  const { requests } = await tell(
    { root: project.root, permissions: { deny: ['Bash'] }, replies: [{ text: 'x' }] },
    { agentType, tools: ['Read', 'Write', 'Bash'] },
  )
  expect(namesOf(requests[0])).toEqual(['Read'])
  const none = await tell({ root: project.root, replies: [{ text: 'x' }] }, { tools: [] })
  expect(none.requests[0]?.body.tools).toBeUndefined()
})

test('commands do not see credentials', async () => {
  await using project = await projectWith()
  process.env.TEST_API_KEY = 'sk-should-not-be-seen'
  const { requests } = await tell({
    root: project.root,
    permissions: { allow: ['Bash'] },
    replies: [use('Bash', { command: 'env' }), { text: 'x' }],
  })
  delete process.env.TEST_API_KEY
  expect(JSON.stringify(requests[1]?.body)).toContain('PATH=')
  expect(JSON.stringify(requests[1]?.body)).not.toContain('should-not-be-seen')
})

test('the system prompt has the type, the note, the instructions of the project and the place', async () => {
  await using project = await projectWith({
    'CLAUDE.md': 'Use tabs.',
    'AGENTS.md': 'Not read beside CLAUDE.md.',
    'sub/AGENTS.md': 'Mind the gap.',
    'sub/deeper/x': '',
  })
  const agentType = { name: 'critic', source: 'test', prompt: 'You are a critic.' }
  const { requests } = await tell(
    { root: project.root, replies: [{ text: 'x' }] },
    { agentType, cwd: 'sub/deeper' },
  )
  const system = JSON.stringify(requests[0]?.body.system)
  expect(system).toMatch(/You are a critic\..*final message is the return value.*Use tabs\..*Mind the gap\./)
  expect(system).toContain(`Working directory: ${project.root}/sub/deeper`)
  expect(system).not.toContain('Not read')
})

test('a directory outside of the project is no place to work in', async () => {
  await using project = await projectWith()
  const escaped = await tell({ root: project.root, replies: [] }, { cwd: '..' })
  expect(escaped.outcome).toMatchObject({ status: 'failed', cause: 'permission_denied' })
  const missing = await tell({ root: project.root, replies: [] }, { cwd: 'no' })
  expect(missing.outcome).toMatchObject({
    cause: 'invalid_request',
    message: expect.stringContaining('does not exist'),
  })
})

test('rules that cannot be read fail the call with their text', async () => {
  await using project = await projectWith()
  const { outcome } = await tell({ root: project.root, permissions: { deny: ['Read(x'] }, replies: [] })
  expect(outcome).toMatchObject({ cause: 'invalid_request', message: expect.stringContaining('"Read(x"') })
})

test('a stop ends a running command and the agent', async () => {
  await using project = await projectWith()
  await using server = await startMockModel({ replies: [use('Bash', { command: 'echo up; sleep 60' })] })
  const workspace = { projectRoot: project.root, env: process.env, permissions: { allow: ['Bash'] } }
  const { context, stop } = await stageFor()
  const execution = modelBackend('anthropic', server.url, { workspace }).start(callOf(), context)
  for await (const event of execution.events) if (event.type === 'tool_start') stop.abort()
  expect(await execution.result).toMatchObject({ status: 'failed', cause: 'stopped', effects: 'yes' })
})

test('turns are bounded by maxTurns', async () => {
  await using project = await projectWith()
  const replies = Array.from({ length: 5 }, () => use('TodoWrite', { todos: [] }))
  const { outcome, requests } = await tell({ root: project.root, replies }, { maxTurns: 3 })
  expect(outcome).toMatchObject({ status: 'failed', cause: 'max_turns' })
  expect(requests).toHaveLength(3)
})

test('tools, system and the end of the talk are marked for the cache', async () => {
  await using project = await projectWith({ a: '' })
  await writeFile(project.path('a'), 'x')
  const { requests } = await tell({
    root: project.root,
    replies: [use('Read', { file_path: 'a' }), { text: 'x' }],
  })
  const { tools, system, messages } = requests[1]!.body as Record<string, Record<string, unknown>[]>
  expect(tools?.filter(tool => tool.cache_control)).toMatchObject([{ name: 'Write' }])
  expect(system?.at(-1)).toHaveProperty('cache_control')
  expect(JSON.stringify(messages?.at(-1))).toContain('cache_control')
  expect(JSON.stringify(messages?.slice(0, -1))).not.toContain('cache_control')
  expect(JSON.stringify(requests[0]?.body.tools)).toBe(JSON.stringify(requests[1]?.body.tools))
})

test('each message is a line when it happens, after the one it names', async () => {
  await using project = await projectWith({ a: `key: ${SECRET} end` })
  const { transcript } = await tell({
    root: project.root,
    replies: [{ ...use('Read', { file_path: 'a' }), thinking: 'hm' }, { text: 'x' }],
  })
  const lines = transcript.filter(line => line.type !== 'system')
  expect(lines.map(({ parentUuid }) => parentUuid)).toEqual([
    null,
    ...lines.slice(0, -1).map(({ uuid }) => uuid),
  ])
  expect(new Set(lines.map(({ uuid }) => uuid)).size).toBe(4)
  for (const { uuid } of lines)
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(lines[1]).toMatchObject({
    isSidechain: true,
    agentId: 'a0000000000000001',
    message: {
      stop_reason: 'tool_use',
      content: [
        { type: 'thinking', thinking: 'hm' },
        { type: 'tool_use', name: 'Read' },
      ],
    },
  })
  expect(JSON.stringify(lines[2])).toContain('key: [redacted] end')
  expect(transcript[2]).toMatchObject({ type: 'system', subtype: 'permission', tool: 'Read', allowed: true })
})

test('a key that a tool came upon is no part of a result, an event or the transcript', async () => {
  await using project = await projectWith({ a: 'x' })
  const { outcome, events, transcript } = await tell({
    root: project.root,
    replies: [use('Bash', { command: `curl -H "x-api-key: ${SECRET}" x` }), { text: `It is ${SECRET}.` }],
  })
  expect(outcome).toMatchObject({ status: 'ok', value: 'It is [redacted].' })
  const told = events.filter(event => event.type !== 'text')
  expect(JSON.stringify([told, transcript])).not.toContain(SECRET)
  expect(JSON.stringify(transcript)).toContain('x-api-key: [redacted]')
})

test('an input that is nested too deep is told to the model, and what was spent is kept', async () => {
  await using project = await projectWith()
  const input = `{"n":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
  const { outcome, requests } = await tell(
    { root: project.root, replies: [use('StructuredOutput', input), use('StructuredOutput', { n: 1 })] },
    { schema },
  )
  expect(outcome).toMatchObject({ status: 'ok', value: { n: 1 }, usage: { toolUses: 2 } })
  expect(JSON.stringify(requests[1]?.body.messages)).toContain('nested more than 500 deep')
})
