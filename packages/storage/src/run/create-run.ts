import { JournalError } from '@tutti/runtime'
import type { RunCreation, RunWriter } from '@tutti/runtime'
import { isMissing, writeFailed } from '../files/file-errors.ts'
import { makeDirectory, makeRoot } from '../files/make-directory.ts'
import { unlinkQuietly } from '../files/remove.ts'
import { createJournal } from '../journal/journal-file.ts'
import { directoriesOf, projectDirectory, runPaths, sessionDirectory, type RunPaths } from '../layout.ts'
import { locationsOf } from './run-locations.ts'
import { createRunWriter } from './run-writer.ts'
import { takeLease, type StoreContext } from './store-context.ts'

const MAX_ROUNDS = 3

/** Makes a run. On failure the files it made are gone again. */
export async function createRun(context: StoreContext, creation: RunCreation): Promise<RunWriter> {
  const { disk, root, layout } = context
  const { runId, scriptName, script } = creation
  const session = sessionDirectory(projectDirectory(root, context.cwd), creation.sessionId)
  const paths = runPaths({ sessionDirectory: session, runId, layout, scriptName })
  const { lease, owner } = await takeNewLease(context, runId, paths)
  let writer: RunWriter | undefined
  try {
    const handle = await createJournal(disk.fs, paths.journal)
    writer = createRunWriter({ disk, paths, lease, owner, script, journal: { handle, size: 0, lastSeq: 0 } })
    await writer.writeScript(script)
    await writer.writeRecord(creation.record(locationsOf(paths)))
    return writer
  } catch (error) {
    if (writer)
      await Promise.all([paths.journal, paths.script, paths.record].map(path => unlinkQuietly(disk.fs, path)))
    await (writer ? writer.close() : lease.release())
    // A run's folder without a run in it would look like one of another product.
    if (layout === 'claude-code') await disk.fs.rmdir(paths.transcripts).catch(() => {})
    throw error
  }
}

async function takeNewLease(
  context: StoreContext,
  runId: string,
  paths: RunPaths,
): ReturnType<typeof takeLease> {
  const { disk, root } = context
  for (let round = 1; ; round++) {
    try {
      await makeRoot(disk, root)
      for (const directory of directoriesOf(paths)) await makeDirectory(disk, root, directory)
      await refuseExisting(context, runId, paths)
      return await takeLease(context, runId, paths)
    } catch (error) {
      // Whoever prunes also removes folders that are empty.
      const gone = isMissing(error) || isMissing((error as Error).cause)
      if (!gone || round === MAX_ROUNDS) throw writeFailed(paths.sessionDirectory, error)
    }
  }
}

async function refuseExisting({ disk }: StoreContext, runId: string, paths: RunPaths): Promise<void> {
  const { record, journal, endRecord } = paths
  for (const path of [record, journal, ...(endRecord === undefined ? [] : [endRecord])]) {
    if (!(await disk.fs.lstat(path).catch(() => undefined))) continue
    throw new JournalError(
      'journal-write-failed',
      `There is a run ${runId} already: ${path} exists. Resume it, or start a run with another id.`,
    )
  }
}
