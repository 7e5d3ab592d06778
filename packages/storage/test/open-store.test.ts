import { existsSync, readFileSync, statSync } from 'node:fs'
import { writeFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createVirtualClock } from '@tutti/runtime/testing'
import type { FileStore, StoreOptions } from '@tutti/storage'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SAMPLE_SESSION, sampleCreation, sampleRecord } from '../src/conformance/samples.ts'
import { failingFileSystem } from './support/failing-file-system.ts'
import { allFiles, RUN, storeFixture, type StoreFixture } from './support/store-fixture.ts'

let fixture: StoreFixture
let root: string
let session: string
const store = (options: Partial<StoreOptions> = {}): FileStore => fixture.store(options)

beforeEach(() => {
  fixture = storeFixture()
  ;({ root, session } = fixture)
})

afterEach(() => fixture.remove())

describe('the files of a run', () => {
  it('lie where the layout says, and the lock is gone after closing', async () => {
    await fixture.finished()
    const names = allFiles(session)
      .filter(path => statSync(path).isFile())
      .map(path => path.slice(session.length + 1))
    expect(names.sort()).toEqual([
      'scripts/wf_0a1b2c3d-4e5.js',
      'subagents/workflows/wf_0a1b2c3d-4e5/agent-a0000000000000001.jsonl',
      'subagents/workflows/wf_0a1b2c3d-4e5/agent-a0000000000000001.meta.json',
      expect.stringMatching(/^subagents\/workflows\/wf_0a1b2c3d-4e5\/results\/[0-9a-f]{64}\.json$/),
      'wf_0a1b2c3d-4e5.journal.jsonl',
      'wf_0a1b2c3d-4e5.json',
      'wf_0a1b2c3d-4e5.output.json',
    ])
  })

  it('can only be read by their owner', async () => {
    await fixture.finished()
    for (const path of [root, ...allFiles(root)]) {
      const stat = statSync(path)
      expect([path, (stat.mode & 0o777).toString(8)]).toEqual([path, stat.isDirectory() ? '700' : '600'])
    }
  })

  it('name the owner in the record, and the lock while it is held', async () => {
    const writer = await store({ host: 'here' }).create(sampleCreation(RUN))
    const lock = JSON.parse(readFileSync(join(session, `${RUN}.lock`), 'utf8')) as Record<string, unknown>
    expect(lock).toMatchObject({ host: 'here', pid: process.pid, fence: 1 })
    expect((await store().load(RUN)).record.owner).toMatchObject({ host: 'here', pid: process.pid })
    await writer.close()
  })

  it('of a transcript without lines are not made', async () => {
    const writer = await store().create(sampleCreation(RUN))
    for (let n = 0; n < 10; n++) writer.transcript(`a000000000000000${n}`, {}).close()
    await writer.close()
    expect(existsSync(join(session, 'subagents'))).toBe(false)
  })
})

describe('the record', () => {
  it('is whole at every moment and the last call wins, with far fewer writes than calls', async () => {
    const disk = failingFileSystem()
    const writer = await store({ fileSystem: disk }).create(sampleCreation(RUN))
    const before = disk.steps.filter(step => step.startsWith('rename')).length
    const calls = Array.from({ length: 200 }, (_, at) =>
      writer.writeRecord({ ...sampleRecord(RUN, writer.locations), logs: [String(at)] }),
    )
    await calls[50]
    expect(Number((await store().load(RUN)).record.logs[0])).toBeGreaterThanOrEqual(50)
    await Promise.all(calls)
    expect((await store().load(RUN)).record.logs).toEqual(['199'])
    expect(disk.steps.filter(step => step.startsWith('rename')).length - before).toBeLessThan(5)
    await writer.close()
  })

  it('takes its heartbeat from the lock of a live owner', async () => {
    const clock = createVirtualClock()
    const writer = await store({ clock }).create(sampleCreation(RUN))
    await clock.advance(60_000)
    const [summary] = await store({ clock }).list()
    expect(summary?.interrupted).toBe(false)
    expect(summary?.record.heartbeatAt).toBeGreaterThanOrEqual(clock.now() - 3_000)
    await writer.close()
  })

  it('of a run whose lock is gone counts as interrupted, though its own heartbeat is fresh', async () => {
    const clock = createVirtualClock()
    const writer = await store().create(sampleCreation(RUN, { heartbeatAt: clock.now() }))
    await writer.close()
    expect((await store({ clock }).list())[0]?.interrupted).toBe(true)
  })
})

describe('names that must not become paths', () => {
  it.each([
    [{ runId: '../../evil' }],
    [{ sessionId: '../evil' }],
    [{ sessionId: SAMPLE_SESSION.toUpperCase() }],
  ])('are refused: %j', async change => {
    await expect(store().create({ ...sampleCreation(RUN), ...change })).rejects.toMatchObject({
      code: 'option-invalid',
    })
    expect(existsSync(root)).toBe(false)
  })

  it('are refused for transcripts and stored texts', async () => {
    const writer = await store().create(sampleCreation(RUN))
    expect(() => writer.transcript('../x', {})).toThrow(/transcript id/)
    await expect(store().readBlob(RUN, '../../x')).rejects.toMatchObject({ code: 'option-invalid' })
    await writer.close()
  })
})

it('notices a stored text that was changed', async () => {
  const writer = await store().create(sampleCreation(RUN))
  const hash = await writer.writeBlob('"right"')
  await writeFile(join(session, 'subagents', 'workflows', RUN, 'results', `${hash}.json`), '"wrong"')
  await expect(store().readBlob(RUN, hash)).rejects.toMatchObject({ code: 'journal-unreadable' })
  await writer.close()
})

it('does not make a folder again that was removed under a running run', async () => {
  const writer = await store().create(sampleCreation(RUN))
  await rm(root, { recursive: true })
  await expect(writer.writeBlob('"x"')).rejects.toMatchObject({ code: 'journal-write-failed' })
  expect(writer.lost.aborted).toBe(true)
  await writer.close()
  expect(existsSync(root)).toBe(false)
})
