import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRuntime, type RunEnd } from '@tutti/runtime'
import { createScriptedExecutor, type ScriptedTable } from '@tutti/runtime/testing'
import { openStore, type FileStore } from '@tutti/storage'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { report, rounds, seed } from '../bounds.ts'
import { seededNumbers } from '../stage/seeded-numbers.ts'

const source = `export const meta = { name: 'prefixes', description: 'Is cut off anywhere' }
const sleep = ms => new Promise(resolve => setTimeout(resolve, ms))
const wide = parallel([1, 2, 3].map(i => () => agent('wide', { label: 'w' + i % 2 })))
const lanes = await pipeline(['ä', '\\u{1f600}'], x => agent('first ' + x, { label: 'a' }), x => agent('second ' + x, { label: 'b' }))
await sleep(1)
return { wide: await wide, lanes, one: await agent.settled('dies', { label: 'dies' }).then(({ status }) => status) }
`
const table: ScriptedTable = {
  w0: { ok: 'zero', effects: 'none' },
  w1: { ok: 'one', effects: 'yes' },
  dies: { die: 'refused', effects: 'none' },
  '*': { echo: true, effects: 'unknown' },
}

let folder = ''
let store: FileStore
let first: RunEnd
let journal: Buffer
let place: string
const counts = { read: 0, resumed: 0 }

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tutti-prefixes-')))
  store = openStore({ root: folder, cwd: folder })
  first = await run()
  place = (await store.locate(first.runId)).journal
  journal = readFileSync(place)
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  report(
    'prefixes',
    `${counts.read} prefixes read, ${counts.resumed} resumed, journal of ${journal.length} bytes, seed ${seed}`,
  )
})

async function run(runId?: string): Promise<RunEnd> {
  const runtime = createRuntime({ executor: createScriptedExecutor(table), store })
  const handle =
    runId === undefined ? await runtime.launch({ source }, { cwd: folder }) : await runtime.resume(runId)
  return await handle.result
}

describe('a journal cut off after any byte', () => {
  it('can be read, and tells exactly its whole lines', async () => {
    const whole = (await store.load(first.runId)).journal
    const stride = rounds(7, 1)
    for (let bytes = 0; bytes <= journal.length; bytes += bytes < journal.length - 300 ? stride : 1) {
      writeFileSync(place, journal.subarray(0, bytes))
      const { journal: lines, damaged } = await store.load(first.runId)
      const complete = journal.subarray(0, bytes).toString().split('\n').length - 1
      expect(damaged).toEqual([])
      // The last line counts as soon as all of it is there, with or without its line feed.
      expect([complete, complete + 1]).toContain(lines.length)
      expect(lines).toEqual(whole.slice(0, lines.length))
      counts.read++
    }
  }, 300_000)

  it('can be resumed to the same value, and pays for no result that is in it', async () => {
    const numbers = seededNumbers(seed)
    const ends = lineEnds(journal)
    const cuts = [...ends, ...ends.map(end => end - 1), ...ends.map(end => end + 1 + numbers.below(60))]
    const chosen = cuts.toSorted(() => numbers.next() - 0.5).slice(0, rounds(12, cuts.length))
    for (const bytes of chosen) {
      writeFileSync(place, journal.subarray(0, bytes))
      await forgetEnd()
      const results = (await store.load(first.runId)).journal.filter(line => line.type === 'result').length
      const end = await run(first.runId)
      expect(end, `cut after byte ${bytes} of ${journal.length}, seed ${seed}`).toMatchObject({
        status: 'completed',
        value: first.value,
        dispatched: 8 - results,
      })
      counts.resumed++
    }
  }, 300_000)
})

/** The record as it was while the journal was that short. */
async function forgetEnd(): Promise<void> {
  const path = (await store.locate(first.runId)).record
  const { endedAt: _, ...record } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
  writeFileSync(path, JSON.stringify({ ...record, status: 'running' }))
}

/** Offsets after each line feed. */
function lineEnds(text: Buffer): number[] {
  return [...text].flatMap((byte, i) => (byte === 10 ? [i + 1] : []))
}
