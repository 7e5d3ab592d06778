import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMockModel, type MockModel, type MockReply, type MockRequest } from '@tutti-internal/mock-model'
import { createBackends, createExecutor } from '@tutti/agents'
import { createRuntime, type RunEnd, type RunHandle, type Runtime } from '@tutti/runtime'
import { createMemoryStore } from '@tutti/runtime/testing'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { installedProduct, WITH_PRODUCTS } from './installed-product.ts'

const SPEC = 'opencode-ai@1.18.33'
const TIMEOUT_MS = 120_000

describe.skipIf(!WITH_PRODUCTS).each(['acp', 'cli'] as const)(`${SPEC} by %s`, kind => {
  let command: string
  let home: string
  let project: string

  beforeAll(async () => {
    command = await installedProduct('opencode', SPEC)
  }, 600_000)

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'tutti-opencode-home-'))
    project = mkdtempSync(join(tmpdir(), 'tutti-opencode-'))
    writeFileSync(join(project, 'a.txt'), 'one\ntwo\nthree\n')
  })
  afterEach(() => {
    for (const folder of [home, project]) rmSync(folder, { recursive: true, force: true })
  })

  function runtimeAt(server: MockModel): Runtime {
    const config = {
      model: 'mock/mock-model',
      small_model: 'mock/mock-model',
      autoupdate: false,
      share: 'disabled',
      permission: { bash: 'allow', edit: 'allow' },
      provider: {
        mock: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: `${server.url}/v1`, apiKey: 'key-of-the-test' },
          models: { 'mock-model': { limit: { context: 100_000, output: 4000 } } },
        },
      },
    }
    writeFileSync(join(project, 'opencode.json'), JSON.stringify(config))
    const env = {
      ...process.env,
      HOME: home,
      XDG_CONFIG_HOME: join(home, 'config'),
      XDG_DATA_HOME: join(home, 'data'),
      XDG_CACHE_HOME: join(home, 'cache'),
      XDG_STATE_HOME: join(home, 'state'),
      OPENCODE_DISABLE_MODELS_FETCH: '1',
    }
    const own = kind === 'acp' ? { kind, command, args: ['acp'] } : { kind, command, profile: 'opencode' }
    const backends = createBackends({
      env,
      projectRoot: project,
      settings: { tutti: { backends: { own } } },
    })
    const executor = createExecutor({ backends, default: 'own' })
    return createRuntime({ executor, store: createMemoryStore() })
  }

  async function launched(body: string, runtime: Runtime): Promise<RunHandle> {
    return await runtime.launch({
      source: `export const meta = { name: 'real', description: 'A real agent' }\n${body}`,
    })
  }

  async function run(body: string, runtime: Runtime): Promise<RunEnd> {
    return await (
      await launched(body, runtime)
    ).result
  }

  /** Requests without tools ask for a title; the others are answered in order. */
  function inOrder(replies: MockReply[]): (request: MockRequest) => MockReply {
    let next = 0
    return ({ body }) =>
      Array.isArray(body.tools) ? (replies[next++] ?? { text: 'no more' }) : { text: 'Title' }
  }

  test(
    'executes commands and tells its answer',
    async () => {
      await using server = await startMockModel({
        replies: inOrder([
          { toolCalls: [{ name: 'bash', input: { command: 'wc -l < a.txt', description: 'Count' } }] },
          { text: 'It has 3 lines.', usage: { input: 120, output: 7 } },
        ]),
      })
      const end = await run(`return await agent('Count the lines of a.txt.')`, runtimeAt(server))
      expect(end.record.failures).toEqual([])
      expect(end).toMatchObject({ status: 'completed', value: 'It has 3 lines.' })
      expect(end.record.usage.toolUses).toBe(1)
    },
    TIMEOUT_MS,
  )

  test(
    'goes on with its own conversation when it is told to',
    async () => {
      // It asks again by itself, without end: what is stopped is its wait.
      let refused: () => void = () => {}
      const wasRefused = new Promise<void>(resolve => (refused = resolve))
      await using server = await startMockModel({
        replies: ({ body }) => {
          const said = JSON.stringify(body.messages)
          if (!Array.isArray(body.tools)) return { text: 'Title' }
          if (said.includes('You were interrupted')) return { text: 'It has 3 lines.' }
          if (!said.includes('wc -l')) {
            const input = { command: 'wc -l < a.txt', description: 'Count' }
            return { toolCalls: [{ name: 'bash', input }] }
          }
          refused()
          return { error: { status: 500 } }
        },
      })
      const runtime = runtimeAt(server)
      const first = await launched(
        `return await agent('Count the lines of a.txt.', { label: 'count' })`,
        runtime,
      )
      await wasRefused
      await first.stop()
      const handle = await runtime.resume(first.runId, { again: { call: 'count', continue: true } })
      const end = await handle.result
      expect(end.record.failures).toEqual([])
      expect(end).toMatchObject({ status: 'completed', value: 'It has 3 lines.' })
      const text = JSON.stringify(
        server.requests.findLast(({ body }) => Array.isArray(body.tools))?.body.messages,
      )
      for (const said of ['Count the lines of a.txt.', 'wc -l', 'You were interrupted'])
        expect(text).toContain(said)
    },
    TIMEOUT_MS,
  )

  test(
    'hands an object over through the tool, corrected after a refusal',
    async () => {
      const submit = (input: object): MockReply => ({
        toolCalls: [{ name: 'tutti_StructuredOutput', input }],
      })
      await using server = await startMockModel({
        replies: inOrder([submit({ lines: 'three' }), submit({ lines: 3 }), { text: 'Done.' }]),
      })
      const schema = `{ type: 'object', required: ['lines'], properties: { lines: { type: 'integer' } } }`
      const end = await run(`return await agent('Count.', { schema: ${schema} })`, runtimeAt(server))
      expect(end).toMatchObject({ status: 'completed', value: { lines: 3 } })
    },
    TIMEOUT_MS,
  )
})
