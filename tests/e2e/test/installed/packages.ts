import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const repository: string = fileURLToPath(new URL('../../../../', import.meta.url))

export interface Manifest {
  name: string
  version: string
  private?: boolean
  packageManager?: string
  exports?: Record<string, unknown>
  dependencies?: Record<string, string>
}

/** The published packages: folder → manifest. */
export function publishedPackages(): Map<string, Manifest> {
  const folders = ['packages', 'apps'].flatMap(group =>
    readdirSync(join(repository, group)).map(name => join(repository, group, name)),
  )
  const all = folders.map(folder => [folder, manifestIn(folder)] as const)
  return new Map(all.filter(([, manifest]) => manifest.private !== true))
}

/** Packs every published package as a release would; package name → tarball. */
export function packAll(target: string): Record<string, string> {
  const { packageManager = 'pnpm' } = manifestIn(repository)
  return Object.fromEntries(
    [...publishedPackages()].map(([cwd, { name }]) => {
      const file = join(target, `${name.replace('@', '').replace('/', '-')}.tgz`)
      execFileSync('npx', ['-y', packageManager, 'pack', '--out', file], {
        cwd,
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      return [name, file]
    }),
  )
}

/** Paths in a tarball, without the leading `package/`. */
export function filesIn(tarball: string): string[] {
  const list = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' })
  return list
    .trim()
    .split('\n')
    .map(path => path.replace(/^package\//, ''))
}

/** The manifest as it is in a tarball. */
export function packedManifest(tarball: string): Manifest {
  return JSON.parse(
    execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], { encoding: 'utf8' }),
  ) as Manifest
}

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}
