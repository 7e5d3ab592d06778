import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { packAll } from './packages.ts'

/** What the tests of this project work on. */
export interface Installation {
  /** Package name → tarball. */
  tarballs: Record<string, string>
  /** The installed command. */
  program: string
  /** Folder that holds the installed packages. */
  modules: string
}

declare module 'vitest' {
  export interface ProvidedContext {
    installation: Installation
  }
}

/** Set to the path of a command to test that one, without packing: for quick turns. */
const GIVEN = process.env['TUTTI_PROGRAM']

/** Several projects of one run share the installation; each loads this file for itself. */
const SHARED: unique symbol = Symbol.for('tutti.e2e.installation')
const shared = process as { [SHARED]?: { installation: Installation; users: number; remove(): void } }

/** Packs the built packages and installs them globally, below a folder of their own. */
export default function setup(project: TestProject): () => void {
  if (GIVEN !== undefined) {
    project.provide('installation', { tarballs: {}, modules: '', program: GIVEN })
    return () => {}
  }
  const use = (shared[SHARED] ??= { ...install(), users: 0 })
  use.users += 1
  project.provide('installation', use.installation)
  return () => {
    use.users -= 1
    if (use.users === 0) use.remove()
  }
}

function install(): { installation: Installation; remove(): void } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tutti-e2e-')))
  const prefix = join(folder, 'prefix')
  mkdirSync(prefix)
  const tarballs = packAll(folder)
  execFileSync(
    'npm',
    [
      'install',
      '--global',
      '--prefix',
      prefix,
      '--prefer-offline',
      '--no-audit',
      '--no-fund',
      ...Object.values(tarballs),
    ],
    { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const modules = join(prefix, 'lib/node_modules')
  return {
    installation: { tarballs, modules, program: join(prefix, 'bin/tutti') },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  }
}
