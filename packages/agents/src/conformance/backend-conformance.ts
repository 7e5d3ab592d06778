import assert from 'node:assert/strict'
import { CAUSES, EFFECTS, type Cause } from '@tutti/protocol'
import { createRuntime, type AgentCall, type AgentOutcome } from '@tutti/runtime'
import { createMemoryStore } from '@tutti/runtime/testing'
import type { Backend } from '../backend.ts'
import { createExecutor } from '../executor.ts'
import { CONFORMANCE_SCHEMA, FAILURES, type ConformanceCase } from './cases.ts'
import { playAgent, type PlayedAgent } from './play-agent.ts'

/** The part of a test runner that the suite uses. */
export interface TestRunner {
  it(name: string, body: () => Promise<void>): void
  /** For a case that means nothing to the backend, which says why. */
  skip(name: string, reason: string): void
}

/** A backend that will do what the case wants, and what must be let go afterwards. */
export interface BackendSetting extends AsyncDisposable {
  backend: Backend
  prompt: string
  /** What else the call needs. */
  call?: Partial<AgentCall>
  /** Whether the file of 'permission denied' is there. */
  wrote?(): boolean
  /** Whether a process that it started is still there. */
  leftBehind?(): Promise<boolean>
}

/** A kind of backend. */
export interface BackendSubject {
  /** Cases that mean nothing to it, each with the reason. */
  cannot?: Partial<Record<ConformanceCase, string>>
  set(wanted: ConformanceCase): Promise<BackendSetting>
}

/** An agent that was told to end has two seconds. */
const END_MS = 2_000
const TIMEOUT_MS = 700

/** What every backend has to do. `set` is called once per test. */
export function backendConformance({ it, skip }: TestRunner, { set, cannot = {} }: BackendSubject): void {
  const inCase = (
    wanted: ConformanceCase,
    name: string,
    body: (setting: BackendSetting) => Promise<void>,
  ): void => {
    const title = `${wanted}: ${name}`
    const reason = cannot[wanted]
    if (reason !== undefined) return skip(title, reason)
    it(title, async () => {
      await using setting = await set(wanted)
      await body(setting)
    })
  }

  inCase('ok', 'a text, with usage and effects', async setting => {
    const outcome = await end(setting)
    assert.equal(outcome.status, 'ok', told(outcome))
    assert.equal(typeof outcome.value, 'string')
    assert.ok(EFFECTS.includes(outcome.effects))
    for (const field of ['input', 'output', 'cacheRead', 'cacheWrite', 'toolUses', 'durationMs'] as const)
      assert.ok(outcome.usage[field] >= 0, field)
  })

  inCase('ok', 'does not start for a signal that is aborted already', async setting => {
    const { outcome } = await play(setting, {}, AbortSignal.abort())
    assertFailed(await outcome, ['stopped'])
  })

  inCase('ok', 'leaves no listener on the signal', async setting => {
    const counted = countingSignal()
    const { outcome } = await play(setting, {}, counted.signal)
    await outcome
    assert.equal(counted.listeners(), 0)
  })

  inCase('schema ok', 'hands over the object that it submitted', async setting => {
    const { outcome, submitted } = await withSchema(setting)
    assert.equal(outcome.status, 'ok', told(outcome))
    assert.equal(typeof (outcome.value as { n: unknown }).n, 'number')
    assert.deepEqual(submitted.at(-1), outcome.value)
  })

  inCase('schema wrong then right', 'may correct itself', async setting => {
    const { outcome, submitted } = await withSchema(setting)
    assert.equal(outcome.status, 'ok', told(outcome))
    assert.deepEqual(submitted, [{ n: '1' }, { n: 1 }])
    assert.deepEqual(outcome.value, { n: 1 })
  })

  inCase('schema never right', 'ends after five tries at most, with the last of them', async setting => {
    const { outcome, submitted } = await withSchema(setting)
    assertFailed(outcome, ['schema_rejected'])
    assert.deepEqual(outcome.lastInvalid, { n: '1' })
    assert.ok(submitted.length >= 1 && submitted.length <= 5)
  })

  inCase('schema never called', 'is no result', async setting => {
    assertFailed((await withSchema(setting)).outcome, ['schema_not_called', 'schema_rejected'])
  })

  inCase('tool error', 'is told to the agent, which goes on', async setting => {
    const { outcome, events } = await play(setting)
    const ended = await outcome
    assert.equal(ended.status, 'ok', told(ended))
    assert.ok(ended.usage.toolUses >= 1)
    const count = (type: string): number => events.filter(event => event.type === type).length
    assert.ok(count('tool_start') >= 1, 'the use of a tool is an event')
    assert.equal(count('tool_end'), count('tool_start'))
  })

  inCase('permission denied', 'nothing is done', async setting => {
    const outcome = await end(setting)
    if (outcome.status === 'failed') assertFailed(outcome, ['permission_denied'])
    assert.equal(setting.wrote?.(), false)
  })

  for (const how of ['signal', 'cancel'] as const)
    inCase('hang', `ends within two seconds of its ${how}, and leaves nothing behind`, async setting => {
      const stop = new AbortController()
      const agent = await play(setting, {}, stop.signal)
      await underWay(agent)
      const since = performance.now()
      if (how === 'signal') stop.abort()
      else agent.execution.cancel('test')
      assertFailed(await agent.outcome, ['stopped'])
      assert.ok(performance.now() - since < END_MS, 'it took too long to end')
      assert.notEqual(await setting.leftBehind?.(), true, 'a process is left')
    })

  inCase('hang', 'a time limit of the run ends it as timeout, and leaves nothing behind', async setting => {
    assert.equal(await causeInRun(setting), 'timeout')
    assert.notEqual(await setting.leftBehind?.(), true, 'a process is left')
  })

  for (const [wanted, causes] of Object.entries(FAILURES) as [ConformanceCase, readonly Cause[]][])
    inCase(wanted, `fails as ${causes.join(' or ')}`, async setting => {
      assertFailed(await end(setting), causes)
      assert.notEqual(await setting.leftBehind?.(), true, 'a process is left')
    })
}

function play(
  { backend, prompt, call }: BackendSetting,
  more: Partial<AgentCall> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<PlayedAgent> {
  return playAgent(backend, { prompt, ...call, ...more }, signal)
}

async function end(setting: BackendSetting): Promise<AgentOutcome> {
  return (await play(setting)).outcome
}

async function withSchema(
  setting: BackendSetting,
): Promise<Omit<PlayedAgent, 'outcome'> & { outcome: AgentOutcome }> {
  const played = await play(setting, { schema: CONFORMANCE_SCHEMA })
  return { ...played, outcome: await played.outcome }
}

/** A backend that tells nothing until it ends is under way a little after it was started. */
async function underWay({ events }: PlayedAgent): Promise<void> {
  for (let i = 0; i < 400 && events.length < 2; i++) await new Promise(resolve => setTimeout(resolve, 5))
}

async function causeInRun({ backend, prompt }: BackendSetting): Promise<unknown> {
  const capabilities = { schema: 'loop', usage: 'none', maxTurns: false, isolation: false } as const
  const entry = { kind: 'scripted', capabilities, everyType: true, load: async () => backend } as const
  const runtime = createRuntime({
    executor: createExecutor({ backends: { subject: entry }, default: 'subject' }),
    store: createMemoryStore(),
  })
  const source = `export const meta = { name: 'conformance', description: 'A time limit' }
return (await agent.settled(${JSON.stringify(prompt)}, { timeoutMs: ${TIMEOUT_MS} })).cause`
  const { result } = await runtime.launch({ source })
  return (await result).value
}

type Failed = Extract<AgentOutcome, { status: 'failed' }>

function assertFailed(outcome: AgentOutcome, causes: readonly Cause[]): asserts outcome is Failed {
  assert.equal(outcome.status, 'failed')
  if (outcome.status !== 'failed') return
  assert.ok(CAUSES.includes(outcome.cause))
  assert.ok(causes.includes(outcome.cause), told(outcome))
  assert.notEqual(outcome.message, '')
}

function told(outcome: AgentOutcome): string {
  return outcome.status === 'ok' ? 'it succeeded' : `${outcome.cause}: ${outcome.message}`
}

function countingSignal(): { signal: AbortSignal; listeners: () => number } {
  const { signal } = new AbortController()
  let count = 0
  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  signal.addEventListener = (...args: Parameters<typeof add>) => (count++, add(...args))
  signal.removeEventListener = (...args: Parameters<typeof remove>) => (count--, remove(...args))
  return { signal, listeners: () => count }
}
