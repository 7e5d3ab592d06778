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

/** Packs the built packages and installs them globally, below a folder of their own. */
export default function setup(project: TestProject): () => void {
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
  project.provide('installation', { tarballs, modules, program: join(prefix, 'bin/tutti') })
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
