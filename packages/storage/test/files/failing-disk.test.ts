import { existsSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { FileStore, StoreOptions } from '@tutti/storage'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { launchedEntry, resultEntry, sampleCreation, sampleRecord } from '../../src/conformance/samples.ts'
import { failingFileSystem } from '../support/failing-file-system.ts'
import { RUN, storeFixture, type StoreFixture } from '../support/store-fixture.ts'

// The disk, not the clock, decides how long these take.
vi.setConfig({ testTimeout: 60_000 })

let fixture: StoreFixture
let root: string
let session: string
const store = (options: Partial<StoreOptions> = {}): FileStore => fixture.store(options)

beforeEach(() => {
  fixture = storeFixture()
  ;({ root, session } = fixture)
})

afterEach(() => fixture.remove())

describe('a disk that fails', () => {
  it('at any step of making a run leaves no run behind, and says what to do', async () => {
    const disk = failingFileSystem()
    await (await store({ fileSystem: disk }).create(sampleCreation(RUN))).close()
    const total = disk.steps.length
    for (let failing = 1; failing <= total; failing++) {
      await rm(root, { recursive: true, force: true })
      const broken = failingFileSystem()
      broken.fault = (_, number) => (number === failing ? { code: 'ENOSPC' } : undefined)
      const created = store({ fileSystem: broken }).create(sampleCreation(RUN))
      // The last steps are those of closing.
      const error: unknown = await created.then(
        writer => writer.close(),
        (reason: unknown) => reason,
      )
      const left = existsSync(session) ? readdirSync(session).filter(name => name.endsWith('.json')) : []
      if (error === undefined) continue
      expect(error).toMatchObject({
        code: 'journal-write-failed',
        message: expect.stringContaining('disk is full'),
      })
      expect([broken.steps[failing - 1], left]).toEqual([broken.steps[failing - 1], []])
    }
  })

  it('at any step of going on keeps every line that was durable, and ends the writer', async () => {
    let total = Infinity
    for (let failing = 1; failing <= total; failing++) {
      await rm(root, { recursive: true, force: true })
      await fixture.finished()
      const broken = failingFileSystem()
      broken.fault = (_, number) => (number === failing ? { code: 'EIO' } : undefined)
      let durable = 2
      try {
        const { writer } = await store({ fileSystem: broken }).open(RUN)
        try {
          await writer.append(2, launchedEntry(RUN))
          durable++
          await writer.writeBlob('"another"')
          await writer.writeRecord(sampleRecord(RUN, writer.locations))
          await writer.append(2, resultEntry(2))
          durable++
          await writer.writeOutput('{}')
          await writer.writeScript('// script')
        } catch (error) {
          expect(error).toMatchObject({ code: 'journal-write-failed' })
          expect(writer.lost.aborted).toBe(true)
          expect(writer.lost.reason).toMatchObject({ code: 'journal-write-failed' })
        } finally {
          await writer.close()
        }
      } catch (error) {
        expect(error).toMatchObject({ code: 'journal-write-failed' })
      }
      total = Math.max(failing, broken.steps.length)
      const run = await store().load(RUN)
      expect([broken.steps[failing - 1], run.journal.length >= durable]).toEqual([
        broken.steps[failing - 1],
        true,
      ])
      expect(run.damaged).toEqual([])
    }
  })

  it('does not hold up or fail a run with its transcripts', async () => {
    const broken = failingFileSystem()
    broken.fault = step => (step.includes('agent-') ? { code: 'ENOSPC' } : undefined)
    const writer = await store({ fileSystem: broken }).create(sampleCreation(RUN))
    const sink = writer.transcript('a0000000000000001', {})
    sink.write({ n: 1 })
    await writer.append(1, resultEntry(1))
    sink.write({ n: 2 })
    expect(writer.lost.aborted).toBe(false)
    await writer.close()
  })
})
