import { createRuntime, type RunEnd, type Runtime } from '@tutti/runtime'
import { createMemoryStore, createScriptedExecutor } from '@tutti/runtime/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { full, report } from '../bounds.ts'

interface Hostile {
  what: string
  body: string
  code: string
  /** Line of the body that the error names, from 1. `near`: the engine only knows where it was last seen. */
  line?: number | 'near'
}

/** Seconds in one step of the engine. */
const UNCOUNTED = "return Array(1e9) + ''"

/** Each stands after one line of meta and one agent, so that the end comes in the middle of a run. */
const HOSTILE: Hostile[] = [
  { what: 'an endless loop', body: 'let n = 0\nfor (;;) n++', code: 'script-timeout', line: 'near' },
  {
    what: 'an endless loop in a callback',
    body: 'const spin = () => {\n  for (;;) {}\n}\nawait parallel([spin])',
    code: 'script-timeout',
    line: 'near',
  },
  {
    what: 'an endless loop that is caught',
    body: 'for (;;) {\n  try { for (;;) {} } catch {}\n}',
    code: 'script-timeout',
    line: 'near',
  },
  { what: 'endless awaits', body: 'for (;;) await null', code: 'script-timeout' },
  {
    what: 'a catastrophic expression',
    body: "const text = 'a'.repeat(40) + 'b'\nreturn /^(a+)+$/.test(text)",
    code: 'script-timeout',
    line: 2,
  },
  {
    what: 'a catastrophic expression over a result',
    body: "return /(x+x+)+y/.test(first + 'x'.repeat(60))",
    code: 'script-timeout',
    line: 1,
  },
  { what: 'a built-in that nobody can count', body: UNCOUNTED, code: 'script-timeout' },
  {
    what: 'endless memory',
    body: 'const all = []\nfor (;;) all.push({ all: [all.length] })',
    code: 'script-memory',
  },
  { what: 'one huge buffer', body: 'return new ArrayBuffer(1e9).byteLength', code: 'script-memory' },
  { what: 'a string that doubles', body: "let s = 'ab'\nfor (;;) s += s", code: 'script-error', line: 2 },
  { what: 'endless recursion', body: 'const f = () => f()\nreturn f()', code: 'script-error', line: 1 },
  {
    what: 'endless recursion through a getter',
    body: 'const o = {\n  get x() { return this.x },\n}\nreturn o.x',
    code: 'script-error',
    line: 2,
  },
  { what: 'a promise that nobody settles', body: 'await new Promise(() => {})', code: 'deadlock' },
  { what: 'a race of promises that nobody settles', body: 'await Promise.race([])', code: 'deadlock' },
  {
    what: 'a rejection that nobody handles',
    body: "agent('nobody', { nonsense: 1 })\nawait agent('other', { label: 'other' })\nawait new Promise(resolve => setTimeout(resolve, 5))\nreturn 1",
    code: 'unhandled-rejection',
    line: 1,
  },
  { what: 'an error', body: 'const o = {}\nreturn o.a.b', code: 'script-error', line: 2 },
  {
    what: 'an error in a callback',
    body: "return [1].map(x => {\n  throw new Error('mine')\n})",
    code: 'script-error',
    line: 2,
  },
  {
    what: 'agents without end',
    body: "for (;;) await agent('more', { label: 'more' })",
    code: 'agent-limit',
  },
]

const limits = { scriptCpuMs: 150, scriptMemoryMiB: 24, concurrency: 4, agents: 50 }

afterAll(() => report('hostile scripts', `${HOSTILE.length} ends, each beside a run that went on`))

describe('a hostile script ends in a typed way while another run of the process goes on', () => {
  it.each(HOSTILE.map(hostile => [`${hostile.what}: ${hostile.code}`, hostile] as const))(
    '%s',
    async (_, { body, code, line }) => {
      const runtime = createRuntime({
        store: createMemoryStore(),
        executor: createScriptedExecutor({ '*': { echo: true, afterMs: 1 } }),
        // On a busy machine memory must not take longer to fill than the script may take.
        limits: code === 'script-memory' ? { ...limits, scriptCpuMs: 10_000 } : limits,
      })
      const hostile = start(runtime, `const first = await agent('first', { label: 'first' })\n${body}`)
      let over = false
      void hostile.then(() => (over = true))
      const peaceful = await start(
        runtime,
        `const all = []\nfor (let i = 0; i < 10; i++) all.push(await agent('p' + i, { label: 'p' + i }))\nreturn all.length`,
      )
      expect(peaceful).toMatchObject({ status: 'completed', value: 10 })
      if (body === UNCOUNTED) expect(over, 'the peaceful run ends while the other one is stuck').toBe(false)
      const end = await hostile
      expect(end.status).toBe('failed')
      expect(end.error?.code, end.error?.message).toBe(code)
      if (line === 'near') expect(placeOf(end)).toMatch(/workflow\.js:[2-6]:/)
      else if (line !== undefined) expect(placeOf(end)).toContain(`workflow.js:${line + 2}:`)
      expect(end.record.status).toBe('failed')
      if (!full && code !== 'script-timeout') return
      // The run ended like any other: it can be resumed, and its finished agent is not paid for again.
      const again = await (
        await runtime.resume(end.runId, {
          script: { source: source(`return await agent('first', { label: 'first' })`) },
        })
      ).result
      expect(again).toMatchObject({ status: 'completed', value: 'first', dispatched: 0 })
    },
    30_000,
  )
})

function source(body: string): string {
  return `export const meta = { name: 'hostile', description: 'Hostile' }\n${body}`
}

async function start(runtime: Runtime, body: string): Promise<RunEnd> {
  return await (
    await runtime.launch({ source: source(body) })
  ).result
}

function placeOf({ error }: RunEnd): string {
  return `${error?.message}\n${error?.stack ?? ''}`
}
