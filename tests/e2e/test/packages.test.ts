import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { start } from './installed/command.ts'
import { filesIn, packedManifest, publishedPackages } from './installed/packages.ts'
import { ProjectFolder } from './installed/project-folder.ts'

const { tarballs, modules } = inject('installation')
const names = [...publishedPackages().values()].map(({ name }) => name)
const allowed =
  /^(dist\/.+\.(js|d\.ts|wasm)|schema\/.+\.json|script\.d\.ts|README\.md|LICENSE|THIRD_PARTY\.md|package\.json)$/

describe.each(names)('%s', name => {
  const tarball = tarballs[name] ?? ''

  it('packs what users need and nothing else', () => {
    const files = filesIn(tarball)
    expect(files.filter(file => !allowed.test(file))).toEqual([])
    expect(files).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'package.json']))
    expect(files.some(file => file.startsWith('dist/'))).toBe(true)
  })

  it('has a manifest without traces of the workspace', () => {
    const text = JSON.stringify(packedManifest(tarball))
    for (const trace of ['@tutti/source', 'workspace:', 'catalog:', './src/'])
      expect(text).not.toContain(trace)
  })

  it('names only files that are in the tarball', () => {
    const files = filesIn(tarball)
    const named = JSON.stringify(packedManifest(tarball).exports ?? {}).match(/"\.\/[^"*]+\.[a-z.]+"/g) ?? []
    expect(named.map(path => path.slice(3, -1)).filter(path => !files.includes(path))).toEqual([])
  })

  it('is imported by plain Node', async () => {
    using project = new ProjectFolder()
    symlinkSync(modules, join(project.path, 'node_modules'))
    const code = entryPoints(name).map(
      entry => `if (!(await import('${entry}'))) throw new Error('${entry}')`,
    )
    const { exit, stderr } = await start(process.execPath, {
      args: ['--input-type=module', '-e', code.join('\n')],
      surroundings: { project },
    }).finished
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
  })
})

/** The entry points that hold code. */
function entryPoints(name: string): string[] {
  const { exports = {} } = packedManifest(tarballs[name] ?? '')
  return Object.entries(exports)
    .filter(([, target]) => typeof target === 'object' && target !== null && 'default' in target)
    .map(([path]) => name + path.slice(1))
}
