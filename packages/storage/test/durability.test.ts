import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { isTuttiError } from '@tutti/runtime'
import type { FileStore, LayoutName } from '@tutti/storage'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { failingFileSystem, type Fault } from './support/failing-file-system.ts'
import { finishedIn, playRun, VALUE, type Seen } from './support/durable-run.ts'
import { storeFixture, type StoreFixture } from './support/store-fixture.ts'

// The disk and the sandbox, not the clock, decide how long these take.
vi.setConfig({ testTimeout: 3_600_000 })

/** `TUTTI_STRESS=1` plays every fault at every step in both layouts. */
const STRESS = Boolean(process.env['TUTTI_STRESS'])

let fixture: StoreFixture

beforeEach(() => {
  fixture = storeFixture()
})

afterEach(() => fixture.remove())

/** How a step of this name can fail. `lasting`: so does every later one. */
function faultsOf(step: string): (Fault & { lasting?: boolean })[] {
  const faults = [
    { code: 'ENOSPC' },
    { code: 'EIO', lasting: true },
    { code: 'EIO' },
    { code: 'ENOSPC', lasting: true },
  ]
  if (!step.startsWith('write')) return faults
  const writes = [
    { code: 'ENOSPC', torn: true },
    { code: 'EIO', torn: true, lasting: true },
    { code: 'none', short: true },
  ]
  return [...writes, ...faults]
}

describe.each<LayoutName>(['session', 'claude-code'])(
  'a disk that fails once or from then on, layout %s',
  layout => {
    it('at any step of a run: it ends with a clear word, and a resume pays for nothing twice', async () => {
      const counted = failingFileSystem()
      expect((await playRun(fixture.store({ fileSystem: counted, layout }))).end?.value).toEqual(VALUE)
      const stride = STRESS ? 1 : layout === 'session' ? 2 : 7
      for (let failing = 1; failing <= counted.steps.length; failing += stride) {
        const faults = faultsOf(counted.steps[failing - 1] ?? '')
        const played = STRESS ? faults : [faults[failing % faults.length]!]
        for (const fault of played) await survive(layout, failing, fault)
      }
    })
  },
)

describe('a folder', () => {
  it('that is removed under a running run ends it with a clear word, and is not made again', async () => {
    const store = fixture.store()
    const { end, received } = await playRun(store, undefined, {
      onStart: label => (label === 'sum' ? rm(fixture.root, { recursive: true }) : undefined),
    })
    expect(end).toMatchObject({
      status: 'failed',
      error: { code: 'journal-write-failed', message: expect.stringMatching(/is gone/) },
    })
    expect(received).not.toContain('sum')
    expect(existsSync(fixture.root)).toBe(false)
  })

  it.each(['EROFS', 'EACCES'])('that cannot be written (%s) lets no run begin, and says so', async code => {
    const disk = failingFileSystem()
    disk.fault = () => ({ code })
    const { refused, dispatched } = await playRun(fixture.store({ fileSystem: disk }))
    expect(refused).toMatchObject({
      code: 'journal-write-failed',
      message: expect.stringMatching(code === 'EROFS' ? /read-only/ : /permission denied/),
    })
    expect(dispatched).toEqual([])
    expect(existsSync(fixture.root)).toBe(false)
  })

  it('that becomes read-only keeps what was received; the run can be shown, and gone on with later', async () => {
    const disk = failingFileSystem()
    const readOnly = fixture.store({ fileSystem: disk })
    const seen = await playRun(readOnly, undefined, {
      onStart: label => {
        if (label === 'sum') disk.fault = step => (changes(step) ? { code: 'EROFS' } : undefined)
      },
    })
    expect(seen.end).toMatchObject({
      status: 'failed',
      error: { message: expect.stringMatching(/read-only.*[Mm]ake it writable/) },
    })
    expect((await readOnly.list()).map(({ record }) => record.runId)).toEqual([seen.runId])
    expect(await playRun(readOnly, seen.runId)).toMatchObject({ refused: { code: 'journal-write-failed' } })
    disk.fault = () => undefined
    await checkResume(readOnly, seen)
  })
})

/** Opening for reading goes on working on a read-only disk. */
function changes(step: string): boolean {
  return !step.startsWith('open') || step.endsWith('.tmp')
}

async function survive(
  layout: LayoutName,
  failing: number,
  fault: Fault & { lasting?: boolean },
): Promise<void> {
  await rm(fixture.root, { recursive: true, force: true })
  const disk = failingFileSystem()
  let failed: string | undefined
  disk.fault = (step, number) => {
    if (number < failing || (number > failing && !fault.lasting)) return undefined
    failed ??= `${step.replace(fixture.root, '')} ${JSON.stringify(fault)}`
    return fault
  }
  const store = fixture.store({ fileSystem: disk, layout })
  const seen = await playRun(store)
  disk.fault = () => undefined
  try {
    checkEnd(seen)
    await (seen.runId === undefined ? checkNothingLeft(store, fault) : checkResume(store, seen))
  } catch (error) {
    throw new Error(`step ${failing}: ${failed}`, { cause: error })
  }
}

/** It completed, or says in the words of an error of ours what is wrong. */
function checkEnd({ end, refused }: Seen): void {
  if (refused !== undefined) {
    expect(refused).toSatisfy(isTuttiError)
    expect(refused).toMatchObject({
      code: 'journal-write-failed',
      message: expect.stringMatching(/^Cannot write \//),
    })
  } else if (end?.status === 'completed') {
    expect(end.value).toEqual(VALUE)
  } else {
    expect(end).toMatchObject({
      status: 'failed',
      error: { code: 'journal-write-failed', message: expect.stringMatching(/^Cannot write \//) },
    })
  }
}

/** A disk that does nothing any more cannot be cleaned up. */
async function checkNothingLeft(store: FileStore, fault: { lasting?: boolean }): Promise<void> {
  if (!fault.lasting) expect(await store.list()).toEqual([])
  expect((await playRun(store, undefined, { seed: 8 })).end?.value).toEqual(VALUE)
}

async function checkResume(store: FileStore, { runId = '', received }: Seen): Promise<void> {
  const run = await store.load(runId)
  expect(run.damaged).toEqual([])
  const finished = finishedIn(run.journal)
  // What the script had received is on disk; only the dead agent has no result.
  expect(received.filter(label => label !== 'dead' && !finished.includes(label))).toEqual([])
  const again = await playRun(store, runId)
  expect(again.refused).toBeUndefined()
  expect(again.end).toMatchObject({ status: 'completed', value: VALUE })
  expect(again.dispatched.filter(label => finished.includes(label))).toEqual([])
  expect((await store.load(runId)).record.status).toBe('completed')
  expect(await store.owner(runId)).toBeUndefined()
}
