import { constants, type Stats } from 'node:fs'
import { mkdir, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ToolProblem } from './tool.ts'
import type { Workplace } from './workplace.ts'

/** The state of a file that is about to be changed; undefined: there is none. Throws unless it is known as it is. */
export async function knownFile(
  workplace: Workplace,
  path: string,
  given: string,
): Promise<Stats | undefined> {
  const found = await stat(path).catch(() => undefined)
  if (!found) return undefined
  if (!found.isFile()) throw new ToolProblem(`${given} is not a regular file.`)
  const seen = workplace.seen.get(path)
  if (!seen) throw new ToolProblem(`${given} exists and was not read yet; read it before you change it.`)
  if (seen.mtimeMs !== found.mtimeMs || seen.size !== found.size)
    throw new ToolProblem(`${given} has changed since it was read; read it again.`)
  return found
}

/** Replaces the content of a file, keeping its mode; makes the folders it needs. */
export async function storeText(workplace: Workplace, path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants
  const handle = await open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o666)
  try {
    await handle.writeFile(text)
    const { mtimeMs, size } = await handle.stat()
    workplace.seen.set(path, { mtimeMs, size })
  } finally {
    await handle.close()
  }
}
