import { appendFile } from 'node:fs/promises'
import { createVirtualClock } from '@tutti/runtime/testing'
import { openSessionFiles, type PruneReport, type SessionFiles } from '@tutti/storage'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SAMPLE_SESSION } from '../../src/conformance/samples.ts'
import { storeFixture, type StoreFixture } from '../support/store-fixture.ts'

const A = '00000000-0000-4000-8000-00000000000a'
const DAY = 86_400_000

let fixture: StoreFixture
let files: SessionFiles
beforeEach(() => {
  fixture = storeFixture()
  files = openSessionFiles({ cwd: fixture.folder, root: fixture.root })
})
afterEach(() => fixture.remove())

const prune = (options: { afterMs?: number; dryRun?: boolean } = {}): Promise<PruneReport> => {
  const clock = createVirtualClock(Date.now() + (options.afterMs ?? 31 * DAY))
  return fixture.store({ clock }).prune({ olderThanMs: 30 * DAY, dryRun: options.dryRun === true })
}

async function write(sessionId: string, program = 'tutti'): Promise<void> {
  const file = await files.create(sessionId)
  await file.append(`${JSON.stringify({ type: 'user', program })}\n`)
  await file.close()
}

describe('pruning transcripts of sessions', () => {
  it('removes old ones, and says so before it does', async () => {
    await write(A)
    const bytes = Buffer.byteLength(`${JSON.stringify({ type: 'user', program: 'tutti' })}\n`)
    expect((await prune({ dryRun: true })).sessions).toMatchObject([{ sessionId: A, bytes }])
    expect(await files.exists(A)).toBe(true)
    expect(await prune()).toMatchObject({ sessions: [{ sessionId: A, bytes }], runs: [], bytes })
    expect(await files.list()).toEqual([])
    expect((await prune()).sessions).toEqual([])
  })

  it('leaves those that were gone on with since', async () => {
    await write(A)
    await appendFile(files.path(A), '\n')
    expect((await prune({ afterMs: 29 * DAY })).sessions).toEqual([])
    expect(await files.exists(A)).toBe(true)
  })

  it('leaves those of other products', async () => {
    await write(A, 'other')
    expect((await prune()).sessions).toEqual([])
    expect(await files.exists(A)).toBe(true)
  })

  it('leaves one that a process writes', async () => {
    await write(A)
    await using _ = await files.lease(A)
    expect((await prune()).sessions).toEqual([])
    expect(await files.exists(A)).toBe(true)
  })

  it('leaves one that has runs', async () => {
    await fixture.finished()
    await write(SAMPLE_SESSION)
    expect((await prune()).sessions).toEqual([])
    expect(await files.exists(SAMPLE_SESSION)).toBe(true)
  })
})
