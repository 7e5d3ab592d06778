import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { FileStore } from '@tutti/storage'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { playRun, VALUE } from '../support/durable-run.ts'
import { allFiles, storeFixture, type StoreFixture } from '../support/store-fixture.ts'

// The disk and the sandbox, not the clock, decide how long these take.
vi.setConfig({ testTimeout: 60_000 })

let fixture: StoreFixture

beforeEach(() => {
  fixture = storeFixture()
})

afterEach(() => fixture.remove())

describe.each(['session', 'claude-code'] as const)(
  'a run whose script copy is missing, layout %s',
  layout => {
    let store: FileStore
    let runId: string

    beforeEach(async () => {
      store = fixture.store({ layout })
      runId = (await playRun(store)).runId ?? ''
      await rm(dirname((await store.locate(runId)).script), { recursive: true })
    })

    it('can be read, and gone on with by whoever brings the script', async () => {
      expect((await store.load(runId)).script).toBeUndefined()
      const { end } = await playRun(store, runId, { withScript: true })
      expect(end).toMatchObject({ status: 'completed', value: VALUE, dispatched: 1 })
      expect((await store.load(runId)).script).toContain('export const meta')
    })

    it('is refused with advice when nobody does, and nothing is changed', async () => {
      const before = allFiles(fixture.root).sort()
      const { refused } = await playRun(store, runId)
      expect(refused).toMatchObject({
        code: 'journal-unreadable',
        message: expect.stringContaining('is missing'),
        hint: expect.stringContaining(`tutti resume ${runId} --script`),
      })
      expect(allFiles(fixture.root).sort()).toEqual(before)
    })
  },
)
