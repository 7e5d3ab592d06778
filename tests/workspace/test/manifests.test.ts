import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { publishedPackages, root, workspacePackages, type ExportTarget } from './packages.ts'

describe.each(workspacePackages())('$manifest.name', ({ manifest }) => {
  it('takes every dependency from the catalog or the workspace', () => {
    const all = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
    expect(all.filter(([, range]) => range !== 'catalog:' && range !== 'workspace:*')).toEqual([])
  })
})

describe.each(publishedPackages().filter(({ manifest }) => manifest.publishConfig?.exports))(
  '$manifest.name',
  ({ manifest }) => {
    it('publishes the exports of the workspace without the source condition', () => {
      const published = Object.entries(manifest.exports ?? {}).map(([path, target]) => [
        path,
        withoutSource(target),
      ])
      expect(manifest.publishConfig?.exports).toEqual(Object.fromEntries(published))
    })
  },
)

it('pins exact versions in the catalog', () => {
  const { catalog } = parse(readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8')) as {
    catalog: Record<string, string>
  }
  const loose = Object.entries(catalog).filter(
    ([, version]) => !/^(npm:@[\w-]+\/[\w-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
  )
  expect(loose).toEqual([])
})

it('publishes all packages at one version', () => {
  expect(new Set(publishedPackages().map(({ manifest }) => manifest.version)).size).toBe(1)
})

function withoutSource(target: ExportTarget): ExportTarget {
  if (typeof target === 'string') return target
  return Object.fromEntries(Object.entries(target).filter(([condition]) => condition !== '@tutti/source'))
}
