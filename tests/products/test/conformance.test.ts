import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMockModel, viewOf, type MockReply, type MockRequest } from '@tutti-internal/mock-model'
import { createBackends } from '@tutti/agents'
import {
  backendConformance,
  trackGroups,
  type BackendSubject,
  type ConformanceCase,
} from '@tutti/agents/conformance'
import { beforeAll, describe, test } from 'vitest'
import { installedProduct, WITH_PRODUCTS } from './installed-product.ts'

const TIMEOUT_MS = 120_000

/** A real product, and how it is brought to a model server of ours. */
interface Product {
  spec: string
  bin: string
  kind: 'cli' | 'acp'
  args?: string[]
  /** Names of its tool for commands and of the one we hand in. */
  tools: { command: string; input: string; submit: string }
  /** Writes its settings; gives its environment. */
  set(place: { home: string; project: string; url: string }): Record<string, string>
  cannot: BackendSubject['cannot']
}

const OF_THE_PRODUCT = 'the product tries for as long as it likes; the limit of time of the run ends it'

const PRODUCTS: Record<string, Product> = {
  'cli:codex': {
    spec: '@openai/codex@0.171.0',
    bin: 'codex',
    kind: 'cli',
    tools: { command: 'exec_command', input: 'cmd', submit: 'mcp__tutti/StructuredOutput' },
    set({ home, url }) {
      const lines = [
        'model = "mock-model"',
        'model_provider = "mock"',
        '[model_providers.mock]',
        'name = "mock"',
      ]
      const more = [`base_url = "${url}/v1"`, 'env_key = "MOCK_KEY"', 'wire_api = "responses"']
      const retries = ['request_max_retries = 0', 'stream_max_retries = 0']
      writeFileSync(join(home, 'config.toml'), [...lines, ...more, ...retries].join('\n'))
      return { CODEX_HOME: home, MOCK_KEY: 'key-of-the-test' }
    },
    cannot: {},
  },
  'acp:opencode': {
    spec: 'opencode-ai@1.18.33',
    bin: 'opencode',
    kind: 'acp',
    args: ['acp'],
    tools: { command: 'bash', input: 'command', submit: 'tutti_StructuredOutput' },
    set({ home, project, url }) {
      const mock = {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: `${url}/v1`, apiKey: 'key-of-the-test' },
        models: { 'mock-model': { limit: { context: 100_000, output: 4000 } } },
      }
      const names = { model: 'mock/mock-model', small_model: 'mock/mock-model' }
      const quiet = { autoupdate: false, share: 'disabled', permission: { bash: 'ask', edit: 'ask' } }
      writeFileSync(
        join(project, 'opencode.json'),
        JSON.stringify({ ...names, ...quiet, provider: { mock } }),
      )
      const folders = ['config', 'data', 'cache', 'state'].map(name => [
        `XDG_${name.toUpperCase()}_HOME`,
        join(home, name),
      ])
      return { HOME: home, ...Object.fromEntries(folders), OPENCODE_DISABLE_MODELS_FETCH: '1' }
    },
    cannot: { '429 storm': OF_THE_PRODUCT, '529': OF_THE_PRODUCT, garbage: OF_THE_PRODUCT },
  },
}

describe.skipIf(!WITH_PRODUCTS).each(Object.entries(PRODUCTS))('%s', (name, product) => {
  let command = ''
  beforeAll(async () => {
    command = await installedProduct(product.bin, product.spec)
  }, 600_000)
  backendConformance(
    {
      it: (title, body) => test(title, body, TIMEOUT_MS),
      skip: (title, reason) => test.skip(`${title} (not here: ${reason})`),
    },
    subjectOf(name, product, () => command),
  )
})

function subjectOf(name: string, product: Product, command: () => string): BackendSubject {
  const { kind, args = [], cannot } = product
  return {
    ...(cannot && { cannot }),
    async set(wanted) {
      // Below /tmp the sandbox helper of codex is not made.
      const home = mkdtempSync(join(homedir(), '.tutti-product-'))
      const project = mkdtempSync(join(tmpdir(), 'tutti-product-'))
      execFileSync('git', ['init', '--quiet'], { cwd: project })
      mkdirSync(home, { recursive: true })
      const groups = trackGroups()
      const server = await startMockModel({
        replies: request => {
          if (wanted === 'crash') groups.crash()
          return replyTo(wanted, request, product)
        },
      })
      const env = { ...process.env, ...product.set({ home, project, url: server.url }) }
      const own = { kind, command: command(), args, ...(kind === 'cli' && { profile: product.bin }) }
      const permissions = wanted === 'tool error' ? { allow: ['Bash'] } : {}
      const settings = { permissions, tutti: { backends: { [name]: own } } }
      const entry = createBackends({ env, projectRoot: project, settings, groups })[name]
      if (!entry) throw new Error(`there is no backend ${name}`)
      return {
        backend: await entry.load(undefined),
        prompt: 'Do it.',
        // It is the sandbox of codex that keeps an agent without tools that write from writing.
        ...(wanted === 'permission denied' && { call: { tools: ['Read', 'Grep'] } }),
        wrote: () => existsSync(join(project, 'forbidden')),
        leftBehind: groups.leftBehind,
        async [Symbol.asyncDispose]() {
          await server.close()
          for (const folder of [home, project])
            rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
        },
      }
    },
  }
}

function replyTo(wanted: ConformanceCase, request: MockRequest, { tools }: Product): MockReply {
  const { tools: offered, answers } = viewOf(request)
  // Products also ask for titles, without tools.
  if (offered.length === 0) return { text: 'Title' }
  const submit = (n: unknown): MockReply => ({ toolCalls: [{ name: tools.submit, input: { n } }] })
  const run = (line: string): MockReply => ({
    toolCalls: [{ name: tools.command, input: { [tools.input]: line, description: 'Does it' } }],
  })
  const done: MockReply = { text: 'hello', usage: { input: 10, output: 2 } }
  switch (wanted) {
    case 'schema ok':
      return answers === 0 ? submit(1) : done
    case 'schema wrong then right':
      return answers < 2 ? submit(answers === 0 ? '1' : 1) : done
    case 'schema never right':
      return submit('1')
    case 'tool error':
      return answers === 0 ? run('false') : done
    case 'permission denied':
      return answers === 0 ? run('touch forbidden') : done
    case 'hang':
      return { text: 'hello there, and much more than that', hangAfter: 4 }
    case '429 storm':
      return { error: { status: 429, message: 'Too many requests: rate limit', type: 'rate_limit_error' } }
    case '529':
      return { error: { status: 529, message: 'Overloaded', type: 'overloaded_error' } }
    case 'auth':
      return { error: { status: 401, message: 'Invalid API key', type: 'authentication_error' } }
    case 'quota':
      return {
        error: { status: 429, message: 'You exceeded your current quota', type: 'insufficient_quota' },
      }
    case 'garbage':
      return {
        error: {
          status: 200,
          body: 'data: <html>{broken\n\n',
          headers: { 'content-type': 'text/event-stream' },
        },
      }
    default:
      return done
  }
}
