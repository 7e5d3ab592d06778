import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export type ExportTarget = string | Record<string, string>

export interface Manifest {
  name: string
  version: string
  private?: boolean
  exports?: Record<string, ExportTarget>
  publishConfig?: { access?: string; exports?: Record<string, ExportTarget> }
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

export interface WorkspacePackage {
  folder: string
  manifest: Manifest
}

export const root: string = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))))

/** Every package of the workspace, private ones included. */
export function workspacePackages(): WorkspacePackage[] {
  return ['packages', 'apps', 'tooling', 'tests', 'examples']
    .flatMap(group => readdirSync(join(root, group)).map(name => join(root, group, name)))
    .filter(folder => existsSync(join(folder, 'package.json')))
    .map(folder => ({ folder, manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) }))
}

export function publishedPackages(): WorkspacePackage[] {
  return workspacePackages().filter(({ manifest }) => !manifest.private)
}

/** TypeScript files below a folder of a package; none if the folder is absent. */
export function sourceFiles(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => join(folder, name))
}
