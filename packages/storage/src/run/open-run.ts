import { join } from 'node:path'
import type { RunWriter, StoredRun } from '@tutti/runtime'
import type { FileHandle } from '../files/file-system.ts'
import { unlinkQuietly } from '../files/remove.ts'
import { openJournal } from '../journal/journal-file.ts'
import { removeDeadCandidates } from '../lease/dead-candidates.ts'
import { leftovers, type RunPaths } from '../layout.ts'
import { findRun } from './find-run.ts'
import { incomplete } from './incomplete.ts'
import { readRecordAndScript, storedRun } from './load-run.ts'
import { createRunWriter } from './run-writer.ts'
import { searchOf, takeLease, type StoreContext } from './store-context.ts'

/** Takes the lease of a run and reads it. A refusal leaves everything as it was. */
export async function openRun(
  context: StoreContext,
  runId: string,
): Promise<{ run: StoredRun; writer: RunWriter }> {
  const { disk } = context
  const paths = await findRun(searchOf(context), runId)
  await requireFiles(context, runId, paths)
  const { lease, owner } = await takeLease(context, runId, paths)
  let handle: FileHandle | undefined
  try {
    const { record, script, paths: complete } = await readRecordAndScript(context, runId, paths)
    const journal = await openJournal(disk.fs, paths.journal)
    if (!journal) throw incomplete(runId, paths, 'its journal')
    handle = journal.handle
    const { content } = journal
    await lease.raiseFence(content.highestFence + 1)
    await removeLeftovers(context, complete)
    await removeDeadCandidates(context, paths.lock)
    const run = storedRun({ record, script, paths: complete, content })
    const size = content.wholeBytes
    const journalParts = { handle, size, lastSeq: content.lastSeq }
    const parts = { disk, paths: complete, lease, owner, script: script ?? '', journal: journalParts }
    return { run, writer: createRunWriter(parts) }
  } catch (error) {
    await handle?.close()
    await lease.release()
    throw error
  }
}

async function requireFiles({ disk }: StoreContext, runId: string, paths: RunPaths): Promise<void> {
  const found = async (path: string): Promise<boolean> =>
    disk.fs.lstat(path).then(
      () => true,
      () => false,
    )
  if (!(await found(paths.record))) throw incomplete(runId, paths, 'its record')
  if (!(await found(paths.journal))) throw incomplete(runId, paths, 'its journal')
}

/** Temporary files of a writer that was killed. */
async function removeLeftovers({ disk }: StoreContext, paths: RunPaths): Promise<void> {
  for (const { directory, isLeftover } of leftovers(paths)) {
    const names = (await disk.fs.readdir(directory).catch((): string[] => [])).filter(isLeftover)
    await Promise.all(names.map(name => unlinkQuietly(disk.fs, join(directory, name))))
  }
}
