import { readFile, writeFile } from 'node:fs/promises'
import { fc, test } from '@fast-check/vitest'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { journalReader } from '../../src/journal/read-journal.ts'
import { finishedIn, playRun, VALUE } from '../support/durable-run.ts'
import { storeFixture, type StoreFixture } from '../support/store-fixture.ts'

// The disk and the sandbox, not the clock, decide how long these take.
vi.setConfig({ testTimeout: 300_000 })

const RESUMES = process.env['TUTTI_STRESS'] ? 200 : 8

describe('the journal of a real run', () => {
  let fixture: StoreFixture
  let runId: string
  let path: string
  /** Of an attempt that finished and one that replayed it. */
  let bytes: Buffer

  beforeAll(async () => {
    fixture = storeFixture()
    const seen = await playRun(fixture.store())
    runId = seen.runId ?? ''
    await playRun(fixture.store(), runId)
    path = (await fixture.store().locate(runId)).journal
    bytes = await readFile(path)
  })

  afterAll(() => fixture.remove())

  it('can be read at every byte prefix: all whole lines, and nothing damaged', () => {
    const whole = journalReader(path)
    whole.push(bytes)
    const { lines } = whole.end()
    expect(lines.filter(({ type }) => type === 'launched').length).toBe(2)
    let ended = 0
    for (let cut = 0; cut <= bytes.length; cut++) {
      if (cut > 0 && bytes[cut - 1] === 0x0a) ended++
      const reader = journalReader(path)
      reader.push(bytes.subarray(0, cut))
      const content = reader.end()
      const sound =
        content.lines.length === ended &&
        content.damaged.length === 0 &&
        content.lastSeq === (lines[ended - 1]?.seq ?? 0) &&
        content.wholeBytes + content.tornBytes === cut
      if (!sound) expect({ cut, ended, content }).toBe('the whole lines')
    }
  })

  test.prop([fc.double({ min: 0, max: 1, noNaN: true })], { numRuns: RESUMES })(
    'cut anywhere, lets the run go on without paying for a recorded result again',
    async share => {
      await writeFile(path, bytes.subarray(0, Math.round(share * bytes.length)))
      const { journal } = await fixture.store().load(runId)
      const finished = finishedIn(journal)
      const { end, refused, dispatched } = await playRun(fixture.store(), runId)
      if (journal.length === 0) {
        // Not one whole line is left of a run that ended.
        expect([refused, dispatched]).toEqual([expect.objectContaining({ code: 'journal-unreadable' }), []])
        return
      }
      expect([refused, end?.status, end?.value]).toEqual([undefined, 'completed', VALUE])
      expect(dispatched.filter(label => finished.includes(label))).toEqual([])
    },
  )
})
