import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMockModel, type MockModel, type MockReply } from '@tutti-internal/mock-model'
import { createBackends, createExecutor } from '@tutti/agents'
import { createRuntime, type RunEnd } from '@tutti/runtime'
import { createMemoryStore } from '@tutti/runtime/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { installedProduct, WITH_PRODUCTS } from './installed-product.ts'

const SPEC = '@openai/codex@0.171.0'

describe.skipIf(!WITH_PRODUCTS)(SPEC, () => {
  let command: string
  let home: string
  let project: string

  beforeAll(async () => {
    command = await installedProduct('codex', SPEC)
    // Below /tmp its sandbox helper is not made.
    home = mkdtempSync(join(homedir(), '.tutti-codex-'))
  }, 600_000)
  afterAll(() => rmSync(home, { recursive: true, force: true }))

  beforeEach(() => {
    project = mkdtempSync(join(tmpdir(), 'tutti-codex-'))
    writeFileSync(join(project, 'a.txt'), 'one\ntwo\nthree\n')
    const git = (...args: string[]): void => void execFileSync('git', args, { cwd: project })
    git('init', '--quiet')
    git('add', '--all')
    git('-c', 'user.name=a', '-c', 'user.email=b', 'commit', '--quiet', '-m', 'first')
  })
  afterEach(() => rmSync(project, { recursive: true, force: true }))

  async function run(body: string, server: MockModel): Promise<RunEnd> {
    writeFileSync(
      join(home, 'config.toml'),
      [
        'model = "mock-model"',
        'model_provider = "mock"',
        '[model_providers.mock]',
        'name = "mock"',
        `base_url = "${server.url}/v1"`,
        'env_key = "MOCK_KEY"',
        'wire_api = "responses"',
        'request_max_retries = 0',
        'stream_max_retries = 0',
      ].join('\n'),
    )
    const env = { ...process.env, CODEX_HOME: home, MOCK_KEY: 'key-of-the-test' }
    const settings = { tutti: { backends: { codex: { kind: 'cli' as const, command, profile: 'codex' } } } }
    const backends = createBackends({ env, projectRoot: project, settings })
    const runtime = createRuntime({
      executor: createExecutor({ backends, default: 'codex' }),
      store: createMemoryStore(),
    })
    const source = `export const meta = { name: 'real', description: 'A real agent' }\n${body}`
    return await (
      await runtime.launch({ source })
    ).result
  }

  const shell = (cmd: string): MockReply => ({
    toolCalls: [{ name: 'exec_command', input: { cmd } }],
    usage: { input: 100, output: 10 },
  })

  test('executes commands and tells its answer and its usage', async () => {
    await using server = await startMockModel({
      replies: [
        shell('wc -l < a.txt'),
        { text: 'It has 3 lines.', usage: { input: 120, output: 7, cacheRead: 80 } },
      ],
    })
    const end = await run(`return await agent('Count the lines of a.txt.')`, server)
    expect(end).toMatchObject({ status: 'completed', value: 'It has 3 lines.' })
    expect(JSON.stringify(server.requests[1]?.body)).toContain('3')
    expect(end.record.usage).toMatchObject({ output: 17, cacheRead: 80, toolUses: 1 })
  }, 60_000)

  test('works in a worktree, and its changes are kept there', async () => {
    await using server = await startMockModel({
      replies: [shell('echo four >> a.txt'), { text: 'Added.' }],
    })
    const end = await run(`return await agent('Add a line.', { isolation: 'worktree' })`, server)
    expect(end).toMatchObject({ status: 'completed', value: 'Added.' })
    const rows = end.record.progress.flatMap(row => (row.type === 'workflow_agent' ? [row.worktree] : []))
    expect(rows).toMatchObject([{ files: ['a.txt'] }])
    expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe('one\ntwo\nthree\n')
    expect(readFileSync(join(rows[0]?.path ?? '', 'a.txt'), 'utf8')).toBe('one\ntwo\nthree\nfour\n')
  }, 60_000)

  test('goes on in the worktree of an earlier agent', async () => {
    await using server = await startMockModel({
      replies: [shell('echo four >> a.txt'), { text: 'Added.' }, shell('cat a.txt'), { text: 'Checked.' }],
    })
    const end = await run(
      `await agent('Add a line.', { label: 'add', isolation: 'worktree' })
       return await agent('Check it.', { isolation: { from: 'add' } })`,
      server,
    )
    expect(end).toMatchObject({ status: 'completed', value: 'Checked.' })
    expect(JSON.stringify(server.requests[3]?.body.input)).toMatch(/three\\+nfour/)
  }, 60_000)

  test('goes on with its own conversation after a failure that passes', async () => {
    await using server = await startMockModel({
      replies: [shell('wc -l < a.txt'), { error: { status: 500 } }, { text: 'It has 3 lines.' }],
    })
    const options = '{ retries: { max: 1, continue: true } }'
    const end = await run(`return await agent('Count the lines of a.txt.', ${options})`, server)
    expect(end).toMatchObject({ status: 'completed', value: 'It has 3 lines.' })
    const text = JSON.stringify(server.requests[2]?.body.input)
    for (const said of ['Count the lines of a.txt.', 'wc -l', 'You were interrupted'])
      expect(text).toContain(said)
  }, 60_000)

  test('takes a strict schema itself', async () => {
    await using server = await startMockModel({ replies: [{ text: '{"lines":3}' }] })
    const schema = `{ type: 'object', additionalProperties: false, required: ['lines'], properties: { lines: { type: 'integer' } } }`
    const end = await run(`return await agent('Count.', { schema: ${schema} })`, server)
    expect(end).toMatchObject({ status: 'completed', value: { lines: 3 } })
    expect(JSON.stringify(server.requests[0]?.body.text)).toContain('lines')
  }, 60_000)

  test('hands other objects over through the tool, corrected after a refusal', async () => {
    const submit = (input: object): MockReply => ({
      toolCalls: [{ name: 'mcp__tutti/StructuredOutput', input }],
    })
    await using server = await startMockModel({
      replies: [submit({ lines: 'three' }), submit({ lines: 3 }), { text: 'Done.' }],
    })
    const schema = `{ type: 'object', required: ['lines'], properties: { lines: { type: 'integer', minimum: 0 } } }`
    const end = await run(`return await agent('Count.', { schema: ${schema} })`, server)
    expect(JSON.stringify(server.requests[1]?.body)).toContain('must be integer')
    expect(end).toMatchObject({ status: 'completed', value: { lines: 3 } })
  }, 60_000)

  test('whose key is refused pauses the run', async () => {
    await using server = await startMockModel({
      replies: [{ error: { status: 401, message: 'Invalid API key' } }],
    })
    const end = await run(`return await agent('Hello.')`, server)
    expect(end).toMatchObject({ status: 'paused', pausedBy: 'auth' })
  }, 60_000)
})
