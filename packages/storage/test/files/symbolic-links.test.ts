import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, rename, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FileStore, StoreOptions } from '@tutti/storage'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sampleCreation } from '../../src/conformance/samples.ts'
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

describe('symbolic links', () => {
  it.each(['projects', 'project', 'session', 'scripts'])(
    'in place of the folder "%s" are refused',
    async which => {
      const elsewhere = join(fixture.folder, 'elsewhere')
      await mkdir(elsewhere)
      const places = {
        projects: join(root, 'projects'),
        project: dirname(session),
        session,
        scripts: join(session, 'scripts'),
      }
      const place = places[which as keyof typeof places]
      await mkdir(dirname(place), { recursive: true })
      await symlink(elsewhere, place)
      await expect(store().create(sampleCreation(RUN))).rejects.toThrow(/symbolic link/)
      expect(readdirSync(elsewhere)).toEqual([])
    },
  )

  it.each(['.json', '.journal.jsonl', '.output.json'])(
    'in place of the file "%s" are not written through',
    async extension => {
      await fixture.finished()
      const path = join(session, `${RUN}${extension}`)
      const target = join(fixture.folder, 'target')
      await rename(path, target)
      await symlink(target, path)
      const before = readFileSync(target, 'utf8')
      const attempt = async (): Promise<void> => {
        const { writer } = await store().open(RUN)
        try {
          await writer.writeOutput('{"changed":true}')
        } finally {
          await writer.close()
        }
      }
      await expect(attempt()).rejects.toThrow(/symbolic link|not found|is missing/)
      expect(readFileSync(target, 'utf8')).toBe(before)
    },
  )

  it('in place of a session are passed over', async () => {
    await fixture.finished()
    await rename(session, join(fixture.folder, 'moved'))
    await symlink(join(fixture.folder, 'moved'), session)
    await expect(store().load(RUN)).rejects.toMatchObject({ code: 'run-not-found' })
    expect(await store().list()).toEqual([])
  })

  it('may lead to the root itself', async () => {
    await mkdir(join(fixture.folder, 'real'))
    await symlink(join(fixture.folder, 'real'), root)
    await fixture.finished()
    expect((await store().load(RUN)).journal.length).toBe(2)
  })
})
