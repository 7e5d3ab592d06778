import { mkdtempSync, realpathSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder of its own for one test. */
export function temporaryFolder(): { path: string; remove(): Promise<void> } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'tutti-storage-')))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}
