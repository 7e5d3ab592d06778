import { dirname, resolve } from 'node:path'
import { isJsonObject } from '@tutti/protocol'
import { systemClock } from '@tutti/runtime'
import type { Clock, Random } from '@tutti/runtime'
import { createDisk } from '../files/file-system.ts'
import { makeDirectory, makeRoot } from '../files/make-directory.ts'
import { readText } from '../files/read-text.ts'
import { writeAtomically } from '../files/write-atomically.ts'
import { approvedScriptsPath } from '../layout.ts'
import { resolveRoot } from '../root.ts'

/** Scripts that may be run in a project without being asked about again, by the hash of their text. */
export interface ApprovedScripts {
  /** False also when the file cannot be read: then it is asked again. */
  has(hash: string): Promise<boolean>
  /** Throws JournalError when it cannot be written. */
  add(hash: string, name: string): Promise<void>
}

export interface ApprovedScriptsOptions {
  cwd: string
  /** Default: `resolveRoot()`. */
  root?: string
  clock?: Clock
  random?: Random
}

interface Approval {
  name: string
  approvedAt: number
}

const HASH_PATTERN = /^[0-9a-f]{64}$/
const MAX_BYTES = 1024 * 1024
const MAX_SCRIPTS = 1000

/** Opens the approvals of the project of a working directory; nothing is made until one is added. */
export function openApprovedScripts(options: ApprovedScriptsOptions): ApprovedScripts {
  const root = resolve(options.root ?? resolveRoot())
  const path = approvedScriptsPath(root, options.cwd)
  const clock = options.clock ?? systemClock()
  const disk = createDisk(options)
  let writing: Promise<unknown> = Promise.resolve()

  const read = async (): Promise<Map<string, Approval>> => {
    try {
      return parse(await readText(disk.fs, path, MAX_BYTES))
    } catch {
      return new Map()
    }
  }

  const write = async (hash: string, name: string): Promise<void> => {
    const scripts = await read()
    scripts.delete(hash)
    scripts.set(hash, { name, approvedAt: clock.now() })
    const kept = Object.fromEntries([...scripts].slice(-MAX_SCRIPTS))
    await makeRoot(disk, root)
    await makeDirectory(disk, root, dirname(path))
    await writeAtomically(disk, path, `${JSON.stringify({ version: 1, scripts: kept }, undefined, 2)}\n`)
  }

  return {
    has: async hash => (await read()).has(hash),
    async add(hash, name) {
      // One after the other: each starts from what the last one wrote.
      const added = writing.then(() => write(hash, name))
      writing = added.catch(() => {})
      await added
    },
  }
}

/** What is not an approval is left out. */
function parse(text: string | undefined): Map<string, Approval> {
  const value: unknown = text === undefined ? undefined : JSON.parse(text)
  const scripts = isJsonObject(value) && value['version'] === 1 ? value['scripts'] : undefined
  if (!isJsonObject(scripts)) return new Map()
  const found = new Map<string, Approval>()
  for (const [hash, entry] of Object.entries(scripts)) {
    if (!HASH_PATTERN.test(hash) || !isJsonObject(entry)) continue
    const { name, approvedAt } = entry
    if (typeof name === 'string' && typeof approvedAt === 'number') found.set(hash, { name, approvedAt })
  }
  return found
}
