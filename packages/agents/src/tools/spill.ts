import { mkdtemp, open, realpath, rm, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Takes what is too long to be told to a model; it can be read there until the agent ends. */
export interface Spill {
  /** Exists once something was put there. */
  readonly directory: string | undefined
  /** A new file, open for writing, mode 0600. */
  open(): Promise<{ path: string; handle: FileHandle }>
  /** Removes everything. */
  end(): Promise<void>
}

export function createSpill(): Spill {
  let directory: string | undefined
  let making: Promise<string> | undefined
  let files = 0
  const make = async (): Promise<string> => {
    directory = await realpath(await mkdtemp(join(tmpdir(), 'tutti-output-')))
    return directory
  }
  return {
    get directory() {
      return directory
    },
    async open() {
      making ??= make()
      const path = join(await making, `output-${++files}.txt`)
      return { path, handle: await open(path, 'wx', 0o600) }
    },
    async end() {
      if (making) await rm(await making, { recursive: true, force: true })
    },
  }
}

const HEAD = 20_000
const TAIL = 8000
/** Characters a model is told at once. */
export const OUTPUT_LIMIT = 30_000

/** The text, or its beginning, its end, and the file with all of it. */
export async function capped(text: string, spill: Spill): Promise<string> {
  if (text.length <= OUTPUT_LIMIT) return text
  const { path, handle } = await spill.open()
  try {
    await handle.writeFile(text)
  } finally {
    await handle.close()
  }
  return shortened(text, { total: text.length, path })
}

/** Both ends of a text that is longer than it may be. */
export function shortened(text: string, { total, path }: { total: number; path?: string }): string {
  const where = path === undefined ? '' : `; all of it is in ${path}, which Read and Grep can open`
  const note = `[${total - HEAD - TAIL} characters were left out${where}]`
  return `${text.slice(0, HEAD)}\n${note}\n${text.slice(-TAIL)}`
}
