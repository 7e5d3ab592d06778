import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openStore, type FileStore, type StoreOptions } from '@tutti/storage'
import { launchedEntry, resultEntry, SAMPLE_SESSION, sampleCreation } from '../../src/conformance/samples.ts'
import { temporaryFolder } from './temporary-folder.ts'

export const RUN = 'wf_0a1b2c3d-4e5'

/** A folder with a store, made anew for each test. */
export interface StoreFixture {
  /** The working directory. */
  folder: string
  root: string
  /** Folder of the sample session. */
  session: string
  store(options?: Partial<StoreOptions>): FileStore
  /** Makes a run that has ended, with two lines, an output, a stored text and a transcript. */
  finished(): Promise<void>
  remove(): Promise<void>
}

export function storeFixture(): StoreFixture {
  const folder = temporaryFolder()
  const root = join(folder.path, 'root')
  const project = join(root, 'projects', folder.path.replaceAll(/[^A-Za-z0-9]/g, '-'))
  const store = (options: Partial<StoreOptions> = {}): FileStore =>
    openStore({ root, cwd: folder.path, ...options })
  return {
    folder: folder.path,
    root,
    session: join(project, SAMPLE_SESSION),
    store,
    async finished() {
      const writer = await store().create(sampleCreation(RUN))
      await writer.append(1, launchedEntry(RUN))
      await writer.append(1, resultEntry(1))
      await writer.writeOutput('{}\n')
      await writer.writeBlob('"large"')
      writer.transcript('a0000000000000001', { label: 'x' }).write({ type: 'text' })
      await writer.close()
    },
    remove: () => folder.remove(),
  }
}

/** Everything below a folder. */
export function allFiles(path: string): string[] {
  return readdirSync(path, { withFileTypes: true, recursive: true }).map(entry =>
    join(entry.parentPath, entry.name),
  )
}
