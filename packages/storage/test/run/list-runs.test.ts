import { chmod, readFile, unlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunRecord } from '@tutti/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sampleCreation, sampleRecord } from '../../src/conformance/samples.ts'
import { createDisk } from '../../src/files/file-system.ts'
import { RUN, storeFixture, type StoreFixture } from '../support/store-fixture.ts'

const OTHER = 'wf_99999999-999'

let fixture: StoreFixture
let record: string

beforeEach(() => {
  fixture = storeFixture()
  record = join(fixture.session, `${RUN}.json`)
})

afterEach(() => fixture.remove())

async function change(changes: Partial<RunRecord>): Promise<void> {
  const before = JSON.parse(await readFile(record, 'utf8')) as RunRecord
  await writeFile(record, JSON.stringify({ ...before, ...changes }))
}

describe('a run whose record says running', () => {
  it('is interrupted as soon as its lock is gone, however fresh its record', async () => {
    await fixture.finished()
    await change({ heartbeatAt: Date.now() })
    expect(await fixture.store().list()).toMatchObject([{ interrupted: true }])
    await change({ status: 'pending' })
    expect(await fixture.store().list()).toMatchObject([{ interrupted: true }])
  })

  it('has ended when its owner ended it between two looks', async () => {
    await fixture.finished()
    const disk = createDisk({})
    let opened = 0
    const open: typeof disk.fs.open = async (path, ...rest) => {
      if (String(path).endsWith('.lock') && opened++ === 0) await change({ status: 'completed' })
      return disk.fs.open(path, ...rest)
    }
    const list = await fixture.store({ fileSystem: { ...disk.fs, open } }).list()
    expect(opened).toBe(1)
    expect(list).toMatchObject([{ interrupted: false, record: { status: 'completed' } }])
  })

  it('is not interrupted when another attempt began between two looks', async () => {
    await fixture.finished()
    const disk = createDisk({})
    const open: typeof disk.fs.open = async (path, ...rest) => {
      if (String(path).endsWith('.lock')) await change({ attempt: 2 })
      return disk.fs.open(path, ...rest)
    }
    const list = await fixture.store({ fileSystem: { ...disk.fs, open } }).list()
    expect(list).toMatchObject([{ interrupted: false, record: { attempt: 2 } }])
  })

  it('is not interrupted while its lock is there and cannot be read', async () => {
    const writer = await fixture.store().create(sampleCreation(RUN))
    const disk = createDisk({})
    const open: typeof disk.fs.open = (path, ...rest) =>
      String(path).endsWith('.lock') ? Promise.reject(new Error('EMFILE')) : disk.fs.open(path, ...rest)
    const list = await fixture.store({ fileSystem: { ...disk.fs, open } }).list()
    expect(list).toMatchObject([{ interrupted: false }])
    await writer.close()
  })

  it('is never seen without its lock while it is being made', async () => {
    const disk = createDisk({})
    const seen: boolean[] = []
    const looking = fixture.store()
    const rename: typeof disk.fs.rename = async (from, to) => {
      await disk.fs.rename(from, to)
      for (const { interrupted } of await looking.list()) seen.push(interrupted)
    }
    const writer = await fixture.store({ fileSystem: { ...disk.fs, rename } }).create(sampleCreation(RUN))
    expect(seen).toEqual([false])
    await writer.writeRecord({ ...sampleRecord(RUN, writer.locations), status: 'completed' })
    await writer.close()
    expect(await looking.list()).toMatchObject([{ interrupted: false }])
  })
})

describe('runs that cannot be read', () => {
  it('are told apart from the others, the latest first, with what is wrong', async () => {
    await fixture.finished()
    const other = await fixture.store().create(sampleCreation(OTHER))
    await other.close()
    const damaged = join(fixture.session, `${OTHER}.json`)
    expect(await fixture.store().unreadable()).toEqual([])
    await change({ schemaVersion: 99 })
    await writeFile(damaged, '{"runId":')
    await utimes(record, 1_000, 1_000)
    const unreadable = await fixture.store().unreadable()
    expect(unreadable).toMatchObject([
      { runId: OTHER, path: damaged, reason: expect.stringContaining('it is not JSON') },
      { runId: RUN, path: record, reason: expect.stringContaining('newer version'), modifiedAt: 1_000_000 },
    ])
    expect(await fixture.store().list()).toEqual([])
  })

  it('are none when a record is gone or belongs to nobody', async () => {
    await fixture.finished()
    await unlink(record)
    await writeFile(join(fixture.session, 'notes.json'), 'nonsense')
    expect(await fixture.store().unreadable()).toEqual([])
  })

  it.skipIf(process.getuid?.() === 0)('are told when the file may not be read', async () => {
    await fixture.finished()
    await chmod(record, 0o000)
    expect(await fixture.store().unreadable()).toMatchObject([{ runId: RUN }])
  })
})
