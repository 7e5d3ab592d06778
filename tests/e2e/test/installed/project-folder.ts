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

/** A user's project in a fresh folder, and the root of their runs outside of it. Removed when disposed of. */
export class ProjectFolder implements Disposable {
  readonly path: string
  readonly root: string
  /** Holds both; for what the user keeps beside the project. */
  readonly base: string

  constructor(files: Record<string, string> = {}) {
    this.base = realpathSync(mkdtempSync(join(tmpdir(), 'tutti-user-')))
    this.path = join(this.base, 'project')
    this.root = join(this.base, 'claude')
    mkdirSync(this.path)
    for (const [name, text] of Object.entries(files)) this.write(name, text)
  }

  write(name: string, text: string): string {
    const path = join(this.path, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    return path
  }

  /** A file in the root of the runs, such as the user's settings. */
  writeRoot(name: string, text: string): void {
    mkdirSync(this.root, { recursive: true })
    writeFileSync(join(this.root, name), text)
  }

  /** Names of what is at the top of the project. */
  list(): string[] {
    return readdirSync(this.path)
  }

  /** Whether a run has got its record, from which on it can be resumed. */
  hasRun(): boolean {
    return filesBelow(this.root).some(path => /wf_[0-9a-f]{8}-[0-9a-f]{3}\.json$/.test(path))
  }

  /** The whole lines of all journals. */
  journal(): Record<string, unknown>[] {
    return filesBelow(this.root)
      .filter(path => path.endsWith('.journal.jsonl'))
      .flatMap(path => wholeLines(readFileSync(path, 'utf8')))
      .map(line => JSON.parse(line) as Record<string, unknown>)
  }

  [Symbol.dispose](): void {
    rmSync(this.base, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}

function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? filesBelow(path) : [path]
    })
  } catch {
    return []
  }
}

function wholeLines(text: string): string[] {
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter(line => line !== '')
}
