import { existsSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { openStore, type FileStore, type StoreOptions } from '@tutti/storage'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SAMPLE_SESSION, sampleCreation } from '../../src/conformance/samples.ts'
import { RUN, storeFixture, type StoreFixture } from '../support/store-fixture.ts'

let fixture: StoreFixture
let root: string
let session: string
const store = (options: Partial<StoreOptions> = {}): FileStore => fixture.store(options)

beforeEach(() => {
  fixture = storeFixture()
  ;({ root, session } = fixture)
})

afterEach(() => fixture.remove())

describe('a run is found by its id alone', () => {
  it('from the folder it was started in, and from folders below', async () => {
    await fixture.finished()
    const below = openStore({ root, cwd: join(fixture.folder, 'a', 'b') })
    expect((await below.load(RUN)).record.runId).toBe(RUN)
    expect(await below.list()).toEqual([])
    await expect(openStore({ root, cwd: dirname(fixture.folder) }).load(RUN)).rejects.toMatchObject({
      code: 'run-not-found',
    })
  })

  it('in any session, and the error names the places', async () => {
    await fixture.finished()
    await rename(session, session.replace(SAMPLE_SESSION, '00000000-0000-4000-8000-000000000000'))
    expect((await store().load(RUN)).record.runId).toBe(RUN)
    const error = await store()
      .load('wf_99999999-999')
      .then(
        () => new Error('found'),
        (reason: Error) => reason,
      )
    expect(error.message).toContain(`${dirname(session)} (1 sessions)`)
    expect(error.message.split('\n').length).toBeLessThan(16)
  })

  it('in the layout claude-code too', async () => {
    await fixture.finished()
    const other = join(session, 'subagents', 'workflows', RUN)
    await rename(join(session, `${RUN}.json`), join(other, 'state.json'))
    await rename(join(session, `${RUN}.journal.jsonl`), join(other, 'journal.jsonl'))
    await mkdir(join(session, 'workflows', 'scripts'), { recursive: true })
    await rename(
      join(session, 'scripts', `${RUN}.js`),
      join(session, 'workflows', 'scripts', `sample-${RUN}.js`),
    )
    const run = await store().load(RUN)
    expect([run.journal.length, run.script]).toEqual([2, sampleCreation(RUN).script])
    expect((await store().list()).map(({ record }) => record.runId)).toEqual([RUN])
  })

  it.each(['', 'wf_', '../x', 'wf_0a1b2c3d-4e5/../x', `wf_${'a'.repeat(300)}`, 'wf_ABCDEFGH', 'wf_0a1b\0'])(
    'and %j is not one',
    async id => {
      await fixture.finished()
      await expect(store().load(id)).rejects.toMatchObject({ code: 'run-not-found' })
    },
  )

  it('and nothing is made by looking', async () => {
    await expect(store().open(RUN)).rejects.toMatchObject({ code: 'run-not-found' })
    expect(existsSync(root)).toBe(false)
  })
})
