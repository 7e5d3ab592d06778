import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { appendFile, unlink, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'
import { createVirtualClock } from '@tutti/runtime/testing'
import type { FileStore, StoreOptions } from '@tutti/storage'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { launchedEntry, resultEntry } from '../../src/conformance/samples.ts'
import { allFiles, RUN, storeFixture, type StoreFixture } from '../support/store-fixture.ts'

let fixture: StoreFixture
let root: string
let session: string
const store = (options: Partial<StoreOptions> = {}): FileStore => fixture.store(options)

beforeEach(() => {
  fixture = storeFixture()
  ;({ root, session } = fixture)
})

afterEach(() => fixture.remove())

describe('opening', () => {
  it('cuts a torn line off and reports it', async () => {
    await fixture.finished()
    const journal = join(session, `${RUN}.journal.jsonl`)
    const before = readFileSync(journal, 'utf8')
    await appendFile(journal, '{"type":"result","seq":3')
    expect((await store().load(RUN)).torn).toBe(true)
    const { run, writer } = await store().open(RUN)
    expect(run.torn).toBe(true)
    expect(run.journal.length).toBe(2)
    await writer.append(2, resultEntry(2))
    await writer.close()
    expect(readFileSync(journal, 'utf8').startsWith(before)).toBe(true)
    expect((await store().load(RUN)).journal.map(line => line.seq)).toEqual([1, 2, 3])
  })

  it('refuses a journal and a record of a newer version, and gives the lease back', async () => {
    await fixture.finished()
    await appendFile(
      join(session, `${RUN}.journal.jsonl`),
      `${JSON.stringify({ ...launchedEntry(RUN, { schemaVersion: 7 }), seq: 3, attempt: 2, fence: 2 })}\n`,
    )
    await expect(store().open(RUN)).rejects.toMatchObject({ code: 'journal-newer', hint: expect.any(String) })
    await writeFile(
      join(session, `${RUN}.json`),
      JSON.stringify({ ...JSON.parse(record()), schemaVersion: 7 }),
    )
    await expect(store().load(RUN)).rejects.toMatchObject({ code: 'journal-newer' })
    expect(existsSync(join(session, `${RUN}.lock`))).toBe(false)
  })

  it.each(['.journal.jsonl', '.json'])(
    'is refused as not found without %s, and makes nothing',
    async extension => {
      await fixture.finished()
      await unlink(join(session, `${RUN}${extension}`))
      const before = allFiles(root)
      await expect(store().open(RUN)).rejects.toMatchObject({
        code: 'run-not-found',
        message: expect.stringContaining(session),
      })
      await expect(store().load(RUN)).rejects.toMatchObject({ code: 'run-not-found' })
      expect(allFiles(root)).toEqual(before)
    },
  )

  it('removes temporary files of a writer that was killed', async () => {
    await fixture.finished()
    await writeFile(join(session, `.${RUN}.json.0011.tmp`), 'half')
    await writeFile(join(session, 'scripts', `.${RUN}.js.0022.tmp`), 'half')
    await writeFile(join(session, 'subagents', 'workflows', RUN, 'results', '.ab.json.33.tmp'), 'half')
    const { writer } = await store().open(RUN)
    await writer.close()
    expect(allFiles(session).filter(name => name.endsWith('.tmp'))).toEqual([])
  })

  it('removes what processes left beside the lock that died while they tried for it, and nothing else', async () => {
    await fixture.finished()
    const candidate = (name: string, pid: number): Promise<void> => {
      const content = { host: hostname(), pid, fence: 1, heartbeatAt: Date.now() }
      return writeFile(join(session, name), JSON.stringify(content))
    }
    const dead = spawnSync(process.execPath, ['-e', '']).pid
    await candidate(`.${RUN}.lock.0011.tmp`, dead)
    await candidate(`.${RUN}.lock.0022.tmp`, process.pid)
    await writeFile(join(session, `.${RUN}.lock.0033.tmp`), '')
    const { writer } = await store().open(RUN)
    await writer.close()
    const left = allFiles(session).filter(name => name.endsWith('.tmp'))
    expect(left.map(name => basename(name)).sort()).toEqual([
      `.${RUN}.lock.0022.tmp`,
      `.${RUN}.lock.0033.tmp`,
    ])
  })

  it('passes over a lock that nobody can read once it is old, not before', async () => {
    await fixture.finished()
    const lock = join(session, `${RUN}.lock`)
    await writeFile(lock, '{"host":')
    const clock = createVirtualClock(statSync(lock).mtimeMs + 5_000)
    await expect(store({ clock }).open(RUN)).rejects.toMatchObject({ code: 'run-is-owned' })
    await clock.advance(6_000)
    const { writer } = await store({ clock }).open(RUN)
    await writer.close()
  })

  it('reports a record that is damaged with its path', async () => {
    await fixture.finished()
    await writeFile(join(session, `${RUN}.json`), '{"runId":')
    await expect(store().load(RUN)).rejects.toMatchObject({
      code: 'journal-unreadable',
      message: expect.stringContaining(join(session, `${RUN}.json`)),
    })
    expect(await store().list()).toEqual([])
  })
})

function record(): string {
  return readFileSync(join(session, `${RUN}.json`), 'utf8')
}
