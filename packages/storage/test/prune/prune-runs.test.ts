import { existsSync, readdirSync, statSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunRecord } from '@tutti/protocol'
import { createVirtualClock } from '@tutti/runtime/testing'
import type { FileStore, StoreOptions } from '@tutti/storage'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  launchedEntry,
  SAMPLE_SESSION,
  SAMPLE_TIME,
  sampleCreation,
  sampleRecord,
} from '../../src/conformance/samples.ts'
import { failingFileSystem } from '../support/failing-file-system.ts'
import { allFiles, RUN, storeFixture, type StoreFixture } from '../support/store-fixture.ts'

const DAY = 86_400_000

let fixture: StoreFixture
let store: (options?: Partial<StoreOptions>) => FileStore

beforeEach(() => {
  fixture = storeFixture()
})

afterEach(() => fixture.remove())

describe.each(['session', 'claude-code'] as const)('pruning in the layout %s', layout => {
  beforeEach(() => {
    const clock = createVirtualClock(SAMPLE_TIME + 31 * DAY)
    store = (options = {}) => fixture.store({ layout, clock, ...options })
  })

  async function make(runId: string, changes: Partial<RunRecord>): Promise<void> {
    const writer = await store().create(sampleCreation(runId))
    await writer.append(1, launchedEntry(runId))
    await writer.writeOutput('{}\n')
    await writer.writeBlob('"large"')
    writer.transcript('a0000000000000001', { label: 'x' }).write({ type: 'text' })
    await writer.writeRecord({ ...sampleRecord(runId, writer.locations), ...changes })
    await writer.close()
  }

  function bytesOf(runId: string): number {
    return allFiles(fixture.root)
      .filter(path => path.includes(runId) && statSync(path).isFile())
      .reduce((sum, path) => sum + statSync(path).size, 0)
  }

  it('removes all files of runs that ended long ago, and says how much that is', async () => {
    await make(RUN, { status: 'completed', endedAt: SAMPLE_TIME })
    const { script, record, transcripts } = await store().locate(RUN)
    await writeFile(join(script, '..', `.${script.split('/').pop() ?? ''}.0011.tmp`), 'half')
    await symlink('/etc/hostname', join(transcripts, 'link'))
    const bytes = bytesOf(RUN)
    const report = await store().prune({ olderThanMs: 30 * DAY })
    expect(report).toMatchObject({
      dryRun: false,
      kept: [],
      runs: [{ runId: RUN, workflowName: 'sample', status: 'completed', endedAt: SAMPLE_TIME }],
    })
    expect(report.bytes).toBeGreaterThanOrEqual(bytes)
    expect(report.runs[0]?.bytes).toBe(report.bytes)
    expect(existsSync(record)).toBe(false)
    expect(existsSync('/etc/hostname')).toBe(true)
    expect(allFiles(fixture.root).filter(path => path.includes(RUN))).toEqual([])
    expect(existsSync(fixture.session)).toBe(false)
  })

  it('only says so on a dry run', async () => {
    await make(RUN, { status: 'failed', endedAt: SAMPLE_TIME })
    const before = allFiles(fixture.root).sort()
    const dry = await store().prune({ olderThanMs: 30 * DAY, dryRun: true })
    expect(allFiles(fixture.root).sort()).toEqual(before)
    const real = await store().prune({ olderThanMs: 30 * DAY })
    expect([dry.dryRun, dry.bytes, dry.runs]).toEqual([true, real.bytes, real.runs])
    expect(real.runs[0]?.files).toBe(layout === 'session' ? 7 : 8)
  })

  it.each<[string, Partial<RunRecord>]>([
    ['that ended lately', { status: 'completed', endedAt: SAMPLE_TIME + 2 * DAY }],
    ['that are interrupted', { status: 'running' }],
    ['that are paused', { status: 'paused', endedAt: SAMPLE_TIME }],
  ])('keeps runs %s', async (_, changes) => {
    await make(RUN, changes)
    const before = allFiles(fixture.root).sort()
    expect((await store().prune({ olderThanMs: 30 * DAY })).runs).toEqual([])
    expect(allFiles(fixture.root).sort()).toEqual(before)
  })

  it('keeps a run that somebody is just going on with, and says why', async () => {
    await make(RUN, { status: 'killed', endedAt: SAMPLE_TIME })
    const { writer } = await store().open(RUN)
    const report = await store().prune({ olderThanMs: 30 * DAY })
    expect([report.runs, report.kept]).toEqual([
      [],
      [{ runId: RUN, why: expect.stringContaining('is owned by process') }],
    ])
    expect((await store().prune({ olderThanMs: 30 * DAY, dryRun: true })).runs).toEqual([])
    await writer.append(2, launchedEntry(RUN))
    await writer.close()
    expect((await store().load(RUN)).journal.length).toBe(2)
  })

  it('leaves other runs and foreign files of the session alone', async () => {
    await make(RUN, { status: 'completed', endedAt: SAMPLE_TIME })
    await make('wf_11111111-111', { status: 'completed', endedAt: SAMPLE_TIME + 30 * DAY })
    await writeFile(join(fixture.session, 'notes.txt'), 'mine')
    await mkdir(join(fixture.session, 'subagents', 'other'), { recursive: true })
    await store().prune({ olderThanMs: 30 * DAY })
    expect((await store().list()).map(({ record }) => record.runId)).toEqual(['wf_11111111-111'])
    expect((await store().load('wf_11111111-111')).journal.length).toBe(1)
    expect(readdirSync(fixture.session)).toContain('notes.txt')
    expect(readdirSync(join(fixture.session, 'subagents'))).toContain('other')
  })

  it('that breaks off at any step finds the rest the next time', async () => {
    await make(RUN, { status: 'completed', endedAt: SAMPLE_TIME })
    for (let failing = 1; ; failing++) {
      const disk = failingFileSystem()
      disk.fault = (_, number) => (number === failing ? { code: 'EIO' } : undefined)
      const { runs, kept } = await store({ fileSystem: disk }).prune({ olderThanMs: 30 * DAY })
      if (runs.length > 0) break
      // A record that cannot be read is passed over.
      if (kept.length > 0) expect(kept).toEqual([{ runId: RUN, why: expect.stringMatching(/^Cannot /) }])
      expect(failing).toBeLessThan(60)
    }
    expect(await store().list()).toEqual([])
    expect(await store().listForeign()).toEqual([])
  })

  it('does not get in the way of a run that begins in the same session', async () => {
    await make(RUN, { status: 'completed', endedAt: SAMPLE_TIME })
    const [report, writer] = await Promise.all([
      store().prune({ olderThanMs: 30 * DAY }),
      store().create(sampleCreation('wf_11111111-111')),
    ])
    expect(report.runs.length).toBe(1)
    await writer.append(1, launchedEntry('wf_11111111-111'))
    await writer.close()
    expect((await store().load('wf_11111111-111')).record.sessionId).toBe(SAMPLE_SESSION)
  })
})
