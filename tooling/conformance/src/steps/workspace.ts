import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve, sep } from 'node:path'
import type { Case } from '../case/types.ts'

/** The fresh folders of one case. */
export interface Workspace {
  /** The working directory, with the files of the case. */
  work: string
  /** The store's root. */
  root: string
  /** For everything that is neither: home folder, tables of the backend. */
  aside: string
  write(files: Record<string, string>): void
  /** All files below the store's root and the working directory. */
  list(): Set<string>
  remove(): void
}

export function createWorkspace(given: Pick<Case, 'files' | 'needs'>): Workspace {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'tutti-case-')))
  const [work, root, aside] = ['work', 'root', 'aside'].map(name => join(base, name)) as [
    string,
    string,
    string,
  ]
  for (const folder of [work, root, aside]) mkdirSync(folder)
  const workspace: Workspace = {
    work,
    root,
    aside,
    write: files => writeBelow(work, files),
    list: () => new Set([...filesBelow(work), ...filesBelow(root)]),
    remove: () => rmSync(base, { recursive: true, force: true, maxRetries: 3 }),
  }
  workspace.write(given.files)
  if (given.needs === 'git') commitAll(work)
  return workspace
}

function writeBelow(folder: string, files: Record<string, string>): void {
  for (const [name, source] of Object.entries(files)) {
    const path = resolve(folder, name)
    if (!path.startsWith(folder + sep))
      throw new Error(`the file ${name} is outside of the working directory`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, source)
  }
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}

function commitAll(cwd: string): void {
  const identity = ['-c', 'user.name=case', '-c', 'user.email=case@localhost', '-c', 'commit.gpgsign=false']
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['add', '-A'],
    [...identity, 'commit', '-q', '-m', 'files'],
  ]) {
    execFileSync('git', args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] })
  }
}
