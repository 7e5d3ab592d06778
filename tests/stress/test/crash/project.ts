import { createHash } from 'node:crypto'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { JournalLine } from '@tutti/protocol'

/** A project in a fresh folder, and the root of its runs outside of it. Removed when disposed of. */
export class Project implements Disposable {
  readonly path: string
  readonly root: string
  readonly #base: string

  constructor(files: Record<string, string>) {
    this.#base = realpathSync(mkdtempSync(join(tmpdir(), 'tutti-stress-')))
    this.path = join(this.#base, 'project')
    this.root = join(this.#base, 'root')
    for (const [name, text] of Object.entries(files)) {
      const path = join(this.path, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    }
  }

  /** Whether a run has got its record, from which on it can be resumed. */
  get hasRun(): boolean {
    return this.#files().some(path => /wf_[0-9a-f]{8}-[0-9a-f]{3}\.json$/.test(path))
  }

  /** The whole lines of the one journal, whatever stands after the last of them. */
  journal(): JournalLine[] {
    const path = this.#files().find(file => file.endsWith('.journal.jsonl'))
    if (path === undefined) return []
    const text = readFileSync(path, 'utf8')
    const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n')
    return lines.filter(line => line !== '').map(line => JSON.parse(line) as JournalLine)
  }

  /** Names of the large results whose text is not what their name says, or that are missing. */
  brokenResults(): string[] {
    const files = this.#files()
    const hashes = this.journal().flatMap(line => (line.type === 'result' ? (line.resultHash ?? []) : []))
    return hashes.filter(hash => {
      const path = files.find(file => file.endsWith(`${hash}.json`))
      return path === undefined || createHash('sha256').update(readFileSync(path)).digest('hex') !== hash
    })
  }

  #files(): string[] {
    try {
      return readdirSync(this.root, { recursive: true, encoding: 'utf8' }).map(name => join(this.root, name))
    } catch {
      return []
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.#base, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}
