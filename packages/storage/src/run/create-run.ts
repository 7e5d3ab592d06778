import { dirname } from 'node:path'
import { JournalError } from '@tutti/runtime'
import type { RunCreation, RunWriter } from '@tutti/runtime'
import { writeFailed } from '../files/file-errors.ts'
import { makeDirectory, makeRoot } from '../files/make-directory.ts'
import { unlinkQuietly } from '../files/remove.ts'
import { createJournal } from '../journal/journal-file.ts'
import { projectDirectory, runPaths, sessionDirectory, type RunPaths } from '../layout.ts'
import { locationsOf } from './run-locations.ts'
import { createRunWriter } from './run-writer.ts'
import { takeLease, type StoreContext } from './store-context.ts'

/** Makes a run. On failure the files it made are gone again. */
export async function createRun(context: StoreContext, creation: RunCreation): Promise<RunWriter> {
  const { disk, root } = context
  const session = sessionDirectory(projectDirectory(root, context.cwd), creation.sessionId)
  const paths = runPaths({ sessionDirectory: session, runId: creation.runId, layout: 'session' })
  try {
    await makeRoot(disk, root)
    await makeDirectory(disk, root, dirname(paths.script))
    await refuseExisting(context, creation.runId, paths)
  } catch (error) {
    throw writeFailed(session, error)
  }
  const { lease, owner } = await takeLease(context, creation.runId, paths)
  let writer: RunWriter | undefined
  try {
    const handle = await createJournal(disk.fs, paths.journal)
    writer = createRunWriter({ disk, paths, lease, owner, journal: { handle, size: 0, lastSeq: 0 } })
    await writer.writeScript(creation.script)
    await writer.writeRecord(creation.record(locationsOf(paths)))
    return writer
  } catch (error) {
    if (writer)
      await Promise.all([paths.journal, paths.script, paths.record].map(path => unlinkQuietly(disk.fs, path)))
    await (writer ? writer.close() : lease.release())
    throw error
  }
}

async function refuseExisting({ disk }: StoreContext, runId: string, paths: RunPaths): Promise<void> {
  for (const path of [paths.record, paths.journal]) {
    if (!(await disk.fs.lstat(path).catch(() => undefined))) continue
    throw new JournalError(
      'journal-write-failed',
      `There is a run ${runId} already: ${path} exists. Resume it, or start a run with another id.`,
    )
  }
}
