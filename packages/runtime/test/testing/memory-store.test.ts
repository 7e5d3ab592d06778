import type { JournalEntry, RunRecord } from '@tutti/protocol'
import { expect, it } from 'vitest'
import { createMemoryStore, createVirtualClock } from '@tutti/runtime/testing'
import type { RunCreation } from '@tutti/runtime'

// What every store must do is held by the conformance suite of the storage package; here are the windows
// and levers that only this one has.

const RUN = 'wf_0a1b2c3d-4e5'
const timer: JournalEntry = { type: 'timer', name: 'timer::1', delayMs: 1 }

const creation: RunCreation = {
  runId: RUN,
  sessionId: '0f8fad5b-d9cb-469f-a165-70867728950e',
  scriptName: 'sample',
  script: 'return 1',
  record: locations =>
    ({
      runId: RUN,
      status: 'running',
      attemptStartedAt: 1,
      heartbeatAt: 1,
      outputFile: locations.output,
    }) as RunRecord,
}

it('shows what was written', async () => {
  const store = createMemoryStore({ clock: createVirtualClock() })
  const writer = await store.create(creation)
  await writer.append(1, timer)
  await writer.writeOutput('{"runId":"x"}')
  writer.transcript('a0000000000000001', {}).write({ n: 1 })
  expect(store.journal(RUN)).toEqual([{ ...timer, seq: 1, attempt: 1, fence: 1 }])
  expect(store.output(RUN)).toEqual({ runId: 'x' })
  expect(store.transcript(RUN, 'a0000000000000001')).toEqual([{ n: 1 }])
  expect(store.transcript(RUN, 'a0000000000000002')).toEqual([])
})

it('keeps what a killed process had written, and nothing of what it tries later', async () => {
  const store = createMemoryStore()
  const writer = await store.create(creation)
  await writer.append(1, timer)
  store.kill(RUN)
  let settled = false
  void writer.append(1, timer).finally(() => {
    settled = true
  })
  writer.appendLater(1, timer)
  expect((await store.list())[0]?.interrupted).toBe(true)
  const { run, writer: next } = await store.open(RUN)
  expect(run.journal.length).toBe(1)
  expect(next.fence).toBe(2)
  expect([settled, writer.lost.aborted]).toEqual([false, false])
})

it('lets another owner take the lease from a live one', async () => {
  const store = createMemoryStore()
  const writer = await store.create(creation)
  const { writer: next } = await store.seize(RUN)
  expect(writer.lost.reason).toMatchObject({ code: 'lease-lost' })
  await expect(writer.append(1, timer)).rejects.toMatchObject({ code: 'lease-lost' })
  await writer.close()
  await next.append(2, timer)
  expect(store.journal(RUN).map(line => line.fence)).toEqual([2])
})

it('fails like a full disk when told to', async () => {
  const store = createMemoryStore()
  const writer = await store.create(creation)
  store.failWrites(RUN, 'the disk is full')
  expect(writer.lost.reason).toMatchObject({ code: 'journal-write-failed' })
  await expect(writer.append(1, timer)).rejects.toThrow('the disk is full')
  await expect(store.open(RUN)).rejects.toMatchObject({ code: 'run-is-owned' })
  await writer.close()
  expect((await store.open(RUN)).run.journal).toEqual([])
})
