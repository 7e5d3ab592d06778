import * as nodeFileSystem from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import { RunNotFoundError } from '@tutti/runtime'
import type { ReusableRun } from '@tutti/runtime'
import type { FileSystem } from '../files/file-system.ts'
import { runOfPath } from '../layout.ts'
import { findInSession } from '../run/find-in-session.ts'
import { foreignPaths, runIdsOf } from './find-foreign.ts'
import { reuseForeign } from './reuse-foreign.ts'
import { reuseOwn } from './reuse-own.ts'

export interface ReadForeignOptions {
  /** What relative paths start from; default: the process's working directory. */
  cwd?: string
  /** Picks a run when `path` is the folder of a session. */
  runId?: string
  fileSystem?: FileSystem
}

/**
 * Reads the finished agents of a run of any product for reuse. `path`: its record, its folder below
 * `subagents/workflows`, or the folder of its session followed by `/<runId>`; a session folder alone when it
 * holds one run. Only agents that ended well are offered; what else is there is named in `problems`. Throws
 * RunNotFoundError, and JournalError for a record that cannot be used. Writes nothing.
 */
export async function readForeignRun(path: string, options: ReadForeignOptions = {}): Promise<ReusableRun> {
  const { cwd = process.cwd(), runId, fileSystem: fs = nodeFileSystem } = options
  const given = resolve(cwd, path)
  const place = runId === undefined ? await placeOf(fs, given) : { sessionDirectory: given, runId }
  const { sessionDirectory } = place
  const own = await findInSession(fs, sessionDirectory, place.runId)
  if (own) return reuseOwn(fs, place.runId, own)
  const paths = await foreignPaths(fs, sessionDirectory, place.runId)
  if (!paths) throw noRunAt(given)
  const product = given.split(sep).includes('.codebuddy') ? 'codebuddy' : 'claude-code'
  return reuseForeign(fs, product, paths)
}

async function placeOf(fs: FileSystem, path: string): Promise<{ sessionDirectory: string; runId: string }> {
  const named = runOfPath(path)
  if (named) return named
  const runIds = await runIdsOf(fs, path)
  const [only] = runIds
  if (only !== undefined && runIds.length === 1) return { sessionDirectory: path, runId: only }
  throw noRunAt(path, runIds)
}

function noRunAt(path: string, choices: string[] = []): RunNotFoundError {
  const several =
    choices.length > 1 ? ` It holds several: ${choices.slice(0, 10).join(', ')}; append /<runId>.` : ''
  return new RunNotFoundError(`There is no single run at ${path}.${several}`, {
    hint:
      'Give a record (…/workflows/wf_….json), the folder of a run (…/subagents/workflows/wf_…), or a session ' +
      'folder followed by /wf_….',
  })
}
