import { tmpdir } from 'node:os'
import { startMockModel, type MockReply } from '@tutti-internal/mock-model'
import { CAUSES, type JsonObject } from '@tutti/protocol'
import type { AgentCall, AgentContext, AgentExecution } from '@tutti/runtime'
import { createScriptedExecutor, type ScriptedTable } from '@tutti/runtime/testing'
import { describe, expect, test } from 'vitest'
import type { Backend } from '../src/backend.ts'
import { createShellBackend } from '../src/shell/index.ts'
import { createSimulateBackend } from '../src/simulate/index.ts'
import { PROFILES } from '../src/cli/index.ts'
import { fakeAgent } from './acp/fake-agent.ts'
import { fakeBackend } from './cli/fake-backend.ts'
import { modelBackend } from './model/backend-at.ts'
import { callOf, play, stageFor } from './stage/stage.ts'

/** What a backend is to do, in the words of a test. */
type Wish = 'text' | 'object' | 'wrong object' | 'corrected object' | 'failure' | 'hang'

interface Setting extends AsyncDisposable {
  backend: Backend
  /** The prompt that makes it do what was wished. */
  prompt: string
}

interface Candidate {
  name: string
  cannot: Wish[]
  set(wish: Wish): Promise<Setting>
}

const schema: JsonObject = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } }

const candidates: Candidate[] = [
  {
    name: 'simulate',
    cannot: ['wrong object', 'corrected object', 'failure'],
    set: async wish => setting(createSimulateBackend({ speed: wish === 'hang' ? 1e-6 : Infinity }), 'Do it.'),
  },
  ...(['anthropic', 'openai', 'responses', 'google'] as const).map((wire): Candidate => ({
    name: `model over ${wire}`,
    cannot: [],
    async set(wish) {
      const server = await startMockModel({ replies: modelReplies(wish) })
      return {
        backend: modelBackend(wire, server.url),
        prompt: 'Do it.',
        [Symbol.asyncDispose]: server.close,
      }
    },
  })),
  {
    name: 'shell',
    cannot: ['corrected object'],
    set: async wish =>
      setting(
        createShellBackend({ projectRoot: tmpdir(), env: process.env, allowShell: true }),
        COMMANDS[wish],
      ),
  },
  ...Object.keys(PROFILES).map((product): Candidate => ({
    name: `cli:${product}`,
    cannot: [],
    async set(wish) {
      const fake = fakeBackend(product, CLI_WISHES[wish])
      return {
        backend: fake.backend,
        prompt: 'Do it.',
        [Symbol.asyncDispose]: async () => fake[Symbol.dispose](),
      }
    },
  })),
  {
    name: 'acp',
    cannot: [],
    async set(wish) {
      const fake = fakeAgent(CLI_WISHES[wish])
      return {
        backend: fake.backend,
        prompt: 'Do it.',
        [Symbol.asyncDispose]: async () => fake[Symbol.dispose](),
      }
    },
  },
  {
    name: 'scripted',
    cannot: [],
    set: async wish => setting(createScriptedExecutor({ test: BEHAVIOURS[wish] }), 'Do it.'),
  },
]

const CLI_WISHES: Record<Wish, string> = {
  text: 'text',
  object: 'objects:[{"n":1}]',
  'wrong object': `objects:${JSON.stringify(Array.from({ length: 9 }, () => ({ n: '1' })))}`,
  'corrected object': 'objects:[{"n":"1"},{"n":1}]',
  failure: 'exit:1:broken',
  hang: 'hang',
}

const COMMANDS: Record<Wish, string> = {
  text: 'echo hello',
  object: 'echo \'{"n":1}\'',
  'wrong object': 'echo \'{"n":"1"}\'',
  'corrected object': '',
  failure: 'exit 1',
  hang: 'sleep 60',
}

const BEHAVIOURS: Record<Wish, ScriptedTable[string]> = {
  text: { ok: 'hello' },
  object: { ok: { n: 1 } },
  'wrong object': { invalid: { n: '1' }, times: 99 },
  'corrected object': { invalid: { n: '1' }, times: 1, then: { ok: { n: 1 } } },
  failure: { die: 'server_error' },
  hang: { hang: true },
}

function modelReplies(wish: Wish): MockReply[] {
  const submit = (input: unknown): MockReply => ({ toolCalls: [{ name: 'StructuredOutput', input }] })
  const replies: Record<Wish, MockReply[]> = {
    text: [{ text: 'hello' }],
    object: [submit({ n: 1 })],
    'wrong object': nine(submit({ n: '1' })),
    'corrected object': [submit({ n: '1' }), submit({ n: 1 })],
    failure: [{ error: { status: 500 } }],
    hang: [{ text: 'hello there, and much more than that', hangAfter: 3 }],
  }
  return replies[wish]
}

function setting(backend: Backend, prompt: string): Setting {
  return { backend, prompt, [Symbol.asyncDispose]: async () => {} }
}

describe.each(candidates)('$name', ({ cannot, set }) => {
  const can = (wish: Wish) => test.skipIf(cannot.includes(wish))

  can('text')('ends well with text, usage and effects', async () => {
    await using at = await set('text')
    const { outcome } = await play(at.backend, { prompt: at.prompt })
    expect(outcome.status).toBe('ok')
    expect(outcome.status === 'ok' && outcome.value).toEqual(expect.any(String))
    expect(['none', 'isolated', 'yes', 'unknown']).toContain(outcome.effects)
    for (const field of ['input', 'output', 'cacheRead', 'cacheWrite', 'toolUses', 'durationMs'] as const) {
      expect(outcome.usage[field]).toBeGreaterThanOrEqual(0)
    }
  })

  can('object')('hands over an object that it submitted', async () => {
    await using at = await set('object')
    const { outcome, submitted } = await play(at.backend, { prompt: at.prompt, schema })
    expect(outcome).toMatchObject({ status: 'ok', value: { n: expect.any(Number) } })
    expect(submitted.at(-1)).toEqual(outcome.status === 'ok' && outcome.value)
  })

  can('wrong object')('ends with schema_rejected and the last object', async () => {
    await using at = await set('wrong object')
    const { outcome, submitted } = await play(at.backend, { prompt: at.prompt, schema })
    expect(outcome).toMatchObject({ status: 'failed', cause: 'schema_rejected', lastInvalid: { n: '1' } })
    expect(submitted.length).toBeLessThanOrEqual(5)
  })

  can('corrected object')('may correct an object', async () => {
    await using at = await set('corrected object')
    const { outcome } = await play(at.backend, { prompt: at.prompt, schema })
    expect(outcome).toMatchObject({ status: 'ok', value: { n: 1 } })
  })

  can('failure')('fails with a cause of the closed list and a message', async () => {
    await using at = await set('failure')
    const { outcome } = await play(at.backend, { prompt: at.prompt })
    expect(outcome.status).toBe('failed')
    expect(CAUSES).toContain(outcome.status === 'failed' && outcome.cause)
    expect(outcome.status === 'failed' && outcome.message).not.toBe('')
  })

  for (const how of ['signal', 'cancel'] as const) {
    can('hang')(`ends within two seconds of its ${how}, and its events end too`, async () => {
      await using at = await set('hang')
      const { context, stop } = await stageFor()
      const execution = at.backend.start(callOf({ prompt: at.prompt }), context)
      setTimeout(() => (how === 'signal' ? stop.abort() : execution.cancel('test')), 50)
      const outcome = await within2s(execution)
      expect(outcome).toMatchObject({ status: 'failed', cause: 'stopped' })
      expect(stop.signal.aborted).toBe(how === 'signal')
    })
  }

  can('text')('does not start for a signal that is aborted already', async () => {
    await using at = await set('text')
    const { outcome } = await play(at.backend, { prompt: at.prompt }, { signal: AbortSignal.abort() })
    expect(outcome).toMatchObject({ status: 'failed', cause: 'stopped' })
  })

  can('text')('leaves no listener on the signal', async () => {
    await using at = await set('text')
    const counted = countingSignal()
    await play(at.backend, { prompt: at.prompt } satisfies Partial<AgentCall>, { signal: counted.signal })
    expect(counted.listeners()).toBe(0)
  })
})

async function within2s(execution: AgentExecution): Promise<unknown> {
  const late = new Promise(resolve => setTimeout(resolve, 2000, 'too late').unref())
  const drained = (async () => {
    for await (const _ of execution.events);
    return execution.result
  })()
  return Promise.race([drained, late])
}

function countingSignal(): { signal: AgentContext['signal']; listeners: () => number } {
  const { signal } = new AbortController()
  let count = 0
  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  signal.addEventListener = (...args: Parameters<typeof add>) => (count++, add(...args))
  signal.removeEventListener = (...args: Parameters<typeof remove>) => (count--, remove(...args))
  return { signal, listeners: () => count }
}

function nine(reply: MockReply): MockReply[] {
  return Array.from({ length: 9 }, () => reply)
}
