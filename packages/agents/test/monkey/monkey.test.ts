import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monkey, startMockModel } from '@tutti-internal/mock-model'
import { CAUSES, type JsonObject } from '@tutti/protocol'
import { createSchemaCompiler, systemClock, type AgentOutcome, type Clock } from '@tutti/runtime'
import { expect, test } from 'vitest'
import { trackGroups } from '../../src/conformance/index.ts'
import { createGovernor } from '../../src/governor/governor.ts'
import { configuredEndpoint } from '../../src/model/endpoint.ts'
import type { Wire } from '../../src/model/endpoint.ts'
import { modelBackend, SECRET } from '../model/backend-at.ts'
import { play } from '../stage/stage.ts'

// A model that answers at random. Whatever it does, agents end, well or with a cause, and do no harm.

const LONG = process.env['TUTTI_MONKEY'] === '1'
const AGENTS = LONG ? 200 : 24
const SEEDS = LONG ? [1, 2, 3, 4, 5] : [1]
const WIRES: Wire[] = ['anthropic', 'openai', 'responses', 'google']

const schema: JsonObject = {
  type: 'object',
  required: ['verdict', 'lines'],
  properties: {
    verdict: { enum: ['good', 'bad'] },
    lines: { type: 'array', minItems: 1, items: { type: 'integer', minimum: 0 } },
  },
}

/** Waits pass a hundred times faster. */
function hurried(): Clock {
  const real = systemClock()
  return { now: real.now, timer: (ms, callback) => real.timer(ms / 100, callback) }
}

test.each(WIRES.flatMap(wire => SEEDS.map(seed => [wire, seed] as const)))(
  'agents of a monkey over %s with seed %i end, and do no harm',
  async (wire, seed) => {
    const base = mkdtempSync(join(tmpdir(), 'tutti-monkey-'))
    const root = join(base, 'project')
    mkdirSync(root)
    for (const name of ['a.txt', 'line']) writeFileSync(join(root, name), 'one\ntwo\n')
    writeFileSync(join(base, 'outside.txt'), 'untouched')
    await using server = await startMockModel({ replies: monkey(seed) })
    const groups = trackGroups()
    const clock = hurried()
    const governor = createGovernor(clock)
    const env = { PATH: process.env['PATH'], HOME: base }
    const workspace = { projectRoot: root, env, groups, permissions: { defaultMode: 'acceptEdits' } }
    const backend = modelBackend(wire, server.url, { workspace, clock, governor, retriesInPlace: 2 })

    const played = await Promise.all(
      Array.from({ length: AGENTS }, (_, n) =>
        play(backend, { prompt: `Part ${n}`, maxTurns: 25, ...(n % 2 === 0 && { schema }) }),
      ),
    )

    const validator = await createSchemaCompiler().compile(schema)
    for (const [n, { outcome, events }] of played.entries()) {
      if (outcome.status === 'ok' && n % 2 === 0) expect(validator.validate(outcome.value)).toEqual([])
      else if (outcome.status === 'ok') expect(outcome.value).toEqual(expect.stringMatching(/\S/))
      else expect(CAUSES).toContain(outcome.cause)
      expect(JSON.stringify(outcome)).not.toContain(SECRET)
      const count = (type: string): number => events.filter(event => event.type === type).length
      expect(count('tool_end')).toBe(count('tool_start'))
    }
    expect(readFileSync(join(base, 'outside.txt'), 'utf8')).toBe('untouched')
    expect(readdirSync(base).toSorted()).toEqual(['outside.txt', 'project'])
    expect(await groups.leftBehind()).toBe(false)
    const endpoint = configuredEndpoint(envOf(wire, server.url))
    expect(endpoint && governor.gateOf(endpoint).state).toMatchObject({ inFlight: 0, waiting: 0 })
    // The monkey must come to something, or it tests nothing.
    expect(tally(played.map(({ outcome }) => outcome)).ok).toBeGreaterThan(0)
    rmSync(base, { recursive: true })
  },
  LONG ? 600_000 : 60_000,
)

function tally(outcomes: AgentOutcome[]): Record<string, number> {
  const counts: Record<string, number> = { ok: 0 }
  for (const outcome of outcomes) {
    const end = outcome.status === 'ok' ? 'ok' : outcome.cause
    counts[end] = (counts[end] ?? 0) + 1
  }
  if (LONG) process.stderr.write(`${JSON.stringify(counts)}\n`)
  return counts
}

function envOf(wire: Wire, url: string): Record<string, string> {
  if (wire === 'anthropic') return { ANTHROPIC_API_KEY: SECRET, ANTHROPIC_BASE_URL: url }
  if (wire === 'google') return { GEMINI_API_KEY: SECRET, GOOGLE_GEMINI_BASE_URL: url }
  const api = wire === 'responses' ? 'responses' : 'chat'
  return { OPENAI_API_KEY: SECRET, OPENAI_BASE_URL: `${url}/v1`, OPENAI_WIRE_API: api }
}
