import assert from 'node:assert/strict'
import type { JournalEntry } from '@tutti/protocol'
import { sha256, type RunStore, type RunWriter, type StoredRun } from '@tutti/runtime'
import {
  deliveredEntry,
  failedEntry,
  launchedEntry,
  resultEntry,
  SAMPLE_TIME,
  sampleCreation,
  sampleRecord,
  startedEntry,
} from './samples.ts'

/** The part of a test runner that the suite uses. */
export interface TestRunner {
  describe(name: string, body: () => void): void
  it(name: string, body: () => Promise<void>): void
}

/** A fresh, empty store. */
export interface StoreUnderTest {
  store: RunStore
  dispose?(): Promise<void>
}

const RUN = 'wf_0a1b2c3d-4e5'
const OTHER_RUN = 'wf_99999999-999'

/** What every `RunStore` has to do. `make` is called once per test. */
export function storeConformance({ describe, it }: TestRunner, make: () => Promise<StoreUnderTest>): void {
  const withStore = (name: string, body: (store: RunStore) => Promise<void>): void => {
    it(name, async () => {
      const { store, dispose } = await make()
      try {
        await body(store)
      } finally {
        await dispose?.()
      }
    })
  }

  describe('a new run', () => {
    withStore('is there with its script, record and an empty journal', async store => {
      const writer = await store.create(sampleCreation(RUN))
      const run = await store.load(RUN)
      assert.equal(run.script, sampleCreation(RUN).script)
      assert.equal(run.record.runId, RUN)
      assert.equal(run.record.scriptPath, writer.locations.script)
      assert.deepEqual(run.journal, [])
      assert.deepEqual(run.damaged, [])
      assert.equal(run.torn, false)
      assert.deepEqual(run.locations, writer.locations)
      await writer.close()
    })
    withStore('is refused when its id is taken, and the old one stays', async store => {
      await created(store, [launchedEntry(RUN)])
      const again = { ...sampleCreation(RUN), script: 'another' }
      await assert.rejects(store.create(again), { code: 'journal-write-failed' })
      const run = await store.load(RUN)
      assert.equal(run.script, sampleCreation(RUN).script)
      assert.equal(run.journal.length, 1)
    })
  })

  describe('the journal', () => {
    withStore('keeps the order of the calls, whether they are waited for or not', async store => {
      const writer = await store.create(sampleCreation(RUN))
      const first = writer.append(1, launchedEntry(RUN))
      writer.appendLater(1, startedEntry(1))
      const second = writer.append(1, resultEntry(1))
      writer.appendLater(1, deliveredEntry(1))
      await Promise.all([first, second])
      await writer.close()
      const { journal } = await store.load(RUN)
      assert.deepEqual(types(journal), ['launched', 'started', 'result', 'delivered'])
      assert.deepEqual(
        journal.map(line => line.seq),
        [1, 2, 3, 4],
      )
    })
    withStore('has a line as soon as its append resolves', async store => {
      const writer = await store.create(sampleCreation(RUN))
      await writer.append(1, resultEntry(1))
      assert.deepEqual(types((await store.load(RUN)).journal), ['result'])
      await writer.close()
    })
    withStore('gives back every entry as it was, stamped', async store => {
      const entries = [
        launchedEntry(RUN),
        startedEntry(1),
        failedEntry(1),
        resultEntry(2, { a: ['ä\u2028', null, 1.5] }),
      ]
      await created(store, entries)
      const { journal } = await store.load(RUN)
      for (const [at, entry] of entries.entries()) {
        assert.deepEqual({ ...journal[at] }, { ...entry, seq: at + 1, attempt: 1, fence: journal[0]?.fence })
      }
    })
    withStore('does not share an entry with whoever wrote it', async store => {
      const result = { list: [1] }
      const writer = await store.create(sampleCreation(RUN))
      const done = writer.append(1, resultEntry(1, result))
      result.list.push(2)
      await done
      await writer.close()
      const [line] = (await store.load(RUN)).journal
      assert.deepEqual(line?.type === 'result' && line.result, { list: [1] })
    })
    withStore('goes on with its numbers and a higher fence when it is opened again', async store => {
      await created(store, [launchedEntry(RUN), resultEntry(1)])
      const { writer } = await store.open(RUN)
      await writer.append(2, launchedEntry(RUN))
      await writer.close()
      const { journal } = await store.load(RUN)
      assert.deepEqual(
        journal.map(line => [line.seq, line.attempt]),
        [
          [1, 1],
          [2, 1],
          [3, 2],
        ],
      )
      assert.ok((journal[2]?.fence ?? 0) > (journal[1]?.fence ?? 0))
      assert.equal(journal[2]?.fence, writer.fence)
    })
    withStore('writes what is pending before it is closed', async store => {
      const writer = await store.create(sampleCreation(RUN))
      for (let n = 1; n <= 500; n++) writer.appendLater(1, startedEntry(n))
      await writer.close()
      assert.equal((await store.load(RUN)).journal.length, 500)
    })
    withStore('refuses lines after it was closed', async store => {
      const writer = await created(store, [launchedEntry(RUN)])
      await assert.rejects(writer.append(1, resultEntry(1)), { code: 'journal-write-failed' })
      writer.appendLater(1, startedEntry(2))
      assert.equal((await store.load(RUN)).journal.length, 1)
    })
  })

  describe('the lease', () => {
    withStore('is refused while somebody holds it, and reading is not', async store => {
      const writer = await store.create(sampleCreation(RUN))
      await assert.rejects(store.open(RUN), { name: 'LeaseError', code: 'run-is-owned' })
      assert.equal((await store.load(RUN)).record.runId, RUN)
      assert.equal(writer.lost.aborted, false)
      await writer.close()
    })
    withStore('is free after closing, and closing twice changes nothing', async store => {
      const writer = await created(store, [])
      const { writer: next } = await store.open(RUN)
      await writer.close()
      await assert.rejects(store.open(RUN), { code: 'run-is-owned' })
      await next.close()
    })
  })

  describe('records and outputs', () => {
    withStore('are replaced, and the latest call wins', async store => {
      const writer = await store.create(sampleCreation(RUN))
      const logs = Array.from({ length: 50 }, (_, at) => at)
      const written = logs.map(at =>
        writer.writeRecord({ ...sampleRecord(RUN, writer.locations), logs: [`version ${at}`] }),
      )
      await Promise.all(written)
      assert.deepEqual((await store.load(RUN)).record.logs, ['version 49'])
      await writer.writeOutput('{"status":"completed"}\n')
      await writer.close()
    })
    withStore('of a script replace its copy', async store => {
      const writer = await store.create(sampleCreation(RUN))
      await writer.writeScript('// new\n')
      assert.equal((await store.load(RUN)).script, '// new\n')
      await writer.close()
    })
  })

  describe('stored text', () => {
    withStore('is found by its hash, and storing it twice changes nothing', async store => {
      const writer = await store.create(sampleCreation(RUN))
      const text = JSON.stringify({ big: 'ü'.repeat(100_000) })
      const [hash, again] = await Promise.all([writer.writeBlob(text), writer.writeBlob(text)])
      assert.match(hash, /^[0-9a-f]{64}$/)
      assert.equal(again, hash)
      assert.equal(await store.readBlob(RUN, hash), text)
      await writer.close()
    })
    withStore('is there after closing, whether it was waited for or not', async store => {
      const writer = await store.create(sampleCreation(RUN))
      const texts = Array.from({ length: 20 }, (_, at) => JSON.stringify(`${at} ${'ü'.repeat(20_000)}`))
      const writing = texts.map(text => writer.writeBlob(text))
      await writer.close()
      // Not by what the writes resolve to: a process may end as soon as its runs are closed.
      for (const text of texts) assert.equal(await store.readBlob(RUN, sha256(text)), text)
      assert.deepEqual(await Promise.all(writing), texts.map(sha256))
    })
    withStore('that is not there is an error', async store => {
      await created(store, [])
      await assert.rejects(store.readBlob(RUN, 'f'.repeat(64)), { code: 'journal-unreadable' })
    })
  })

  describe('transcripts', () => {
    withStore('never fail a run', async store => {
      const writer = await store.create(sampleCreation(RUN))
      const sink = writer.transcript('a0000000000000001', { agentType: 'workflow-subagent' })
      for (let n = 0; n < 100; n++) sink.write({ type: 'text', n })
      sink.close()
      sink.write({ type: 'too late' })
      await writer.close()
      sink.write({ type: 'later still' })
    })
    withStore('are read back by the one who writes them, also while they are written', async store => {
      const writer = await store.create(sampleCreation(RUN))
      const sink = writer.transcript('a0000000000000001', { agentType: 'workflow-subagent' })
      const lines = Array.from({ length: 100 }, (_, n) => ({ type: 'text', n }))
      for (const line of lines) sink.write(line)
      assert.deepEqual(await writer.readTranscript('a0000000000000001'), lines)
      sink.close()
      assert.deepEqual(await writer.readTranscript('a0000000000000002'), [])
      assert.deepEqual(await writer.readTranscript('../../../etc/passwd'), [])
      await writer.close()
      const { writer: next } = await store.open(RUN)
      assert.deepEqual(await next.readTranscript('a0000000000000001'), lines)
      await next.close()
    })
  })

  describe('finding and listing', () => {
    withStore('an unknown run is an error of its own', async store => {
      await assert.rejects(store.load(OTHER_RUN), { name: 'RunNotFoundError', code: 'run-not-found' })
      await assert.rejects(store.open(OTHER_RUN), { code: 'run-not-found' })
      await assert.rejects(store.load('../../etc/passwd'), { code: 'run-not-found' })
      assert.deepEqual(await store.list(), [])
    })
    withStore('a run that its owner gave up without an end is interrupted at once', async store => {
      const writer = await store.create(sampleCreation(RUN, { heartbeatAt: Date.now() }))
      assert.equal((await store.list())[0]?.interrupted, false)
      await writer.close()
      assert.equal((await store.list())[0]?.interrupted, true)
    })
    withStore('a list begins with the newest run and tells which lost their owner', async store => {
      const old = await store.create(sampleCreation(RUN))
      await old.close()
      const later = { attemptStartedAt: SAMPLE_TIME + 60_000 }
      const live = await store.create(sampleCreation(OTHER_RUN, later))
      const list = await store.list()
      assert.deepEqual(
        list.map(({ record, interrupted }) => [record.runId, interrupted]),
        [
          [OTHER_RUN, false],
          [RUN, true],
        ],
      )
      await live.writeRecord({ ...sampleRecord(OTHER_RUN, live.locations), status: 'completed' })
      await live.close()
      assert.equal((await store.list()).find(({ record }) => record.runId === OTHER_RUN)?.interrupted, false)
    })
  })
}

/** A closed run with these lines. */
async function created(store: RunStore, entries: JournalEntry[]): Promise<RunWriter> {
  const writer = await store.create(sampleCreation(RUN))
  for (const entry of entries) await writer.append(1, entry)
  await writer.close()
  return writer
}

function types(journal: StoredRun['journal']): string[] {
  return journal.map(line => line.type)
}
