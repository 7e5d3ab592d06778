// Layers: cli → session → agents, storage → runtime → protocol. `turbo boundaries` checks the same from its tags.
import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importsOf } from './imports.ts'
import { publishedPackages, root, sourceFiles } from './packages.ts'

const below: Record<string, string[]> = {
  '@tutti/protocol': [],
  '@tutti/runtime': ['@tutti/protocol'],
  '@tutti/storage': ['@tutti/protocol', '@tutti/runtime'],
  '@tutti/agents': ['@tutti/protocol', '@tutti/runtime'],
  '@tutti/session': ['@tutti/protocol', '@tutti/runtime', '@tutti/storage', '@tutti/agents'],
  tutti: ['@tutti/protocol', '@tutti/runtime', '@tutti/storage', '@tutti/agents', '@tutti/session'],
}

/** Node modules that the layers without side effects may use: hashes, threads, the place of their own files. */
const builtins: Record<string, string[]> = {
  '@tutti/protocol': [],
  '@tutti/runtime': ['node:crypto', 'node:os', 'node:url', 'node:worker_threads'],
}

describe.each(publishedPackages())('$manifest.name', ({ folder, manifest }) => {
  const allowed = below[manifest.name] ?? []
  const fromSources = () => importsBelow(join(folder, 'src'))
  const fromTests = () => importsBelow(join(folder, 'test'))

  it('has a place among the layers', () => {
    expect(Object.keys(below)).toContain(manifest.name)
  })

  it('imports only lower layers', () => {
    const sources = fromSources().filter(({ target }) => target in below && !allowed.includes(target))
    const tests = fromTests().filter(
      ({ target }) => target in below && ![...allowed, manifest.name].includes(target),
    )
    expect([...sources, ...tests].map(show)).toEqual([])
  })

  it('depends on lower layers only', () => {
    const { dependencies, devDependencies, peerDependencies } = manifest
    const all = Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies })
    expect(all.filter(name => name in below && !allowed.includes(name))).toEqual([])
  })

  it('declares what its sources import', () => {
    const declared = { ...manifest.dependencies, ...manifest.peerDependencies }
    const packages = fromSources().filter(({ specifier }) => !isRelative(specifier) && !isBuiltin(specifier))
    expect(packages.filter(({ target }) => !(target in declared)).map(show)).toEqual([])
  })

  it('reaches files of no other package by path', () => {
    const paths = [...fromSources(), ...fromTests()].filter(({ specifier }) => isRelative(specifier))
    const outside = paths.filter(
      ({ file, specifier }) => !resolve(dirname(file), specifier).startsWith(folder + sep),
    )
    expect(outside.map(show)).toEqual([])
  })

  it('carries the tag that turbo checks', () => {
    const { tags } = JSON.parse(readFileSync(join(folder, 'turbo.json'), 'utf8')) as { tags: string[] }
    expect(tags).toEqual([manifest.name === 'tutti' ? 'cli' : manifest.name.replace('@tutti/', '')])
  })
})

it.each(Object.entries(builtins))('%s uses no Node module but %j', (name, allowed) => {
  const { folder } = publishedPackages().find(({ manifest }) => manifest.name === name) ?? { folder: '' }
  const modules = importsBelow(join(folder, 'src')).filter(({ specifier }) => isBuiltin(specifier))
  expect(modules.filter(({ specifier }) => !allowed.includes(specifier)).map(show)).toEqual([])
})

interface Import {
  file: string
  specifier: string
  /** The package that the specifier names, without a subpath. */
  target: string
}

function importsBelow(folder: string): Import[] {
  return sourceFiles(folder).flatMap(file =>
    importsOf(file).map(specifier => ({ file, specifier, target: packageName(specifier) })),
  )
}

function show({ file, specifier }: Import): string {
  return `${relative(root, file)}: ${specifier}`
}

function isRelative(specifier: string): boolean {
  return specifier.startsWith('.')
}

function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}
