import { createHash } from 'node:crypto'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { JournalLine } from '@tutti/protocol'

/** The record of a run, in both layouts. */
const RECORD = /\/(wf_[0-9a-f]{8}-[0-9a-f]{3})(\.json|\/state\.json)$/

/** A project in a fresh folder, and the root of its runs outside of it. Removed when disposed of. */
export class Project implements Disposable {
  readonly path: string
  readonly root: string
  /** What goes with this one. */
  readonly #own: string

  private constructor({ path, root, own }: { path: string; root: string; own: string }) {
    this.path = path
    this.root = root
    this.#own = own
  }

  static create(files: Record<string, string>): Project {
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'tutti-stress-')))
    const project = new Project({ path: join(base, 'project'), root: join(base, 'root'), own: base })
    for (const [name, text] of Object.entries(files)) {
      const path = join(project.path, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    }
    return project
  }

  /** The same project, its runs as they are at this moment. */
  copy(): Project {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'tutti-stress-root-')))
    cpSync(this.root, root, { recursive: true, verbatimSymlinks: true })
    return new Project({ path: this.path, root, own: root })
  }

  /** The run that has got its record, from which on it can be resumed. */
  get runId(): string | undefined {
    return this.#files()
      .map(path => RECORD.exec(path)?.[1])
      .find(id => id !== undefined)
  }

  /** The whole lines of the run's journal, whatever stands after the last of them. */
  journal(): JournalLine[] {
    const { runId = '' } = this
    const path = this.#files().find(file => file.endsWith('journal.jsonl') && file.includes(runId))
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

  /** Files of the run that only a writer at work has: temporary ones, locks and claims. */
  leftovers(): string[] {
    const { runId = '' } = this
    // An empty candidate for the lock does not say whose it is: it may be a living process's for a moment.
    return this.#files().filter(
      file =>
        file.includes(runId) &&
        /\.tmp$|\.lock(\.\d+)?$/.test(file) &&
        !(/\.lock\.[0-9a-f]+\.tmp$/.test(file) && statSync(file).size === 0),
    )
  }

  #files(): string[] {
    try {
      return readdirSync(this.root, { recursive: true, encoding: 'utf8' }).map(name => join(this.root, name))
    } catch {
      return []
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.#own, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}
