import type { FileSystem } from '../files/file-system.ts'
import { isScriptName, runPaths, scriptIndex, type RunPaths } from '../layout.ts'

/**
 * The paths with the name of the script copy as it lies there. Where none does: as `name`, when it can be
 * part of a file name.
 */
export async function withScriptName(
  fs: FileSystem,
  { paths, runId, name }: { paths: RunPaths; runId: string; name?: string },
): Promise<RunPaths> {
  if (paths.layout === 'session') return paths
  const { sessionDirectory, layout } = paths
  const { directory, nameOf } = scriptIndex(sessionDirectory, runId)
  const entries = await fs.readdir(directory).catch((): string[] => [])
  const names = entries.map(nameOf).filter(found => found !== undefined)
  const wanted = name !== undefined && isScriptName(name) ? name : undefined
  const scriptName = wanted !== undefined && names.includes(wanted) ? wanted : (names.sort()[0] ?? wanted)
  return runPaths({ sessionDirectory, runId, layout, ...(scriptName !== undefined && { scriptName }) })
}
