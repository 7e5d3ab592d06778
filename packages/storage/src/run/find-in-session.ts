import { constants } from 'node:fs'
import type { FileSystem } from '../files/file-system.ts'
import { NO_FOLLOW } from '../files/read-text.ts'
import { decodeLine } from '../journal/decode-line.ts'
import { LAYOUTS, runPaths, type RunPaths } from '../layout.ts'

/** A run of ours in a session, in either layout; undefined when there is none, or another product's. */
export async function findInSession(
  fs: FileSystem,
  session: string,
  runId: string,
): Promise<RunPaths | undefined> {
  for (const layout of LAYOUTS) {
    const paths = runPaths({ sessionDirectory: session, runId, layout })
    if ((await isFile(fs, paths.record)) || (await isFile(fs, paths.lock))) return paths
    if (!(await isFile(fs, paths.journal))) continue
    // In the layout of Claude Code its own journals have the same name.
    if (layout === 'session' || (await isOurJournal(fs, paths.journal))) return paths
  }
  return undefined
}

export async function isFile(fs: FileSystem, path: string): Promise<boolean> {
  return fs.lstat(path).then(
    stat => stat.isFile(),
    () => false,
  )
}

/** Long enough for a first line with large args to be told from another format by its type. */
const BEGINNING_BYTES = 64 * 1024

async function isOurJournal(fs: FileSystem, path: string): Promise<boolean> {
  try {
    const handle = await fs.open(path, constants.O_RDONLY | constants.O_NONBLOCK | NO_FOLLOW)
    try {
      const chunk = Buffer.alloc(BEGINNING_BYTES)
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, 0)
      return isLaunch(chunk.subarray(0, bytesRead))
    } finally {
      await handle.close()
    }
  } catch {
    return false
  }
}

function isLaunch(beginning: Buffer): boolean {
  const end = beginning.indexOf(0x0a)
  if (end < 0) return beginning.toString('latin1', 0, 64).startsWith('{"type":"launched","seq":1,')
  const decoded = decodeLine(beginning.subarray(0, end))
  return decoded.kind === 'known' && decoded.line.type === 'launched'
}
