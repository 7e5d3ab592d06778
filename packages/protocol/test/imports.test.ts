import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'tsdown'
import { afterAll, describe, expect, it } from 'vitest'

const source = fileURLToPath(new URL('../src/', import.meta.url))
const output = mkdtempSync(join(tmpdir(), 'tutti-protocol-'))

afterAll(() => rmSync(output, { recursive: true, force: true }))

/** Everything that a file imports or exports from, types included, through its own relative files. */
function reachedFrom(entry: string): { files: Set<string>; packages: Set<string> } {
  const files = new Set<string>()
  const packages = new Set<string>()
  const visit = (file: string): void => {
    if (files.has(file)) return
    files.add(file)
    const text = readFileSync(file, 'utf8')
    for (const [, specifier = ''] of text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]/g)) {
      if (specifier.startsWith('.')) visit(resolve(dirname(file), specifier).replace(/\.d\.js$/, '.d.ts'))
      else packages.add(specifier)
    }
  }
  visit(entry)
  return { files, packages }
}

async function builtEntry(): Promise<void> {
  await build({
    config: false,
    entry: { index: join(source, 'index.ts'), schemas: join(source, 'schemas/index.ts') },
    outDir: output,
    format: 'esm',
    platform: 'node',
    fixedExtension: false,
    hash: false,
    dts: false,
    logLevel: 'silent',
    report: false,
    external: ['zod'],
  })
}

describe('the root of the package', () => {
  it('imports no other package and no schema, for its types neither', () => {
    const { files, packages } = reachedFrom(join(source, 'index.ts'))
    expect([...packages]).toEqual([])
    expect([...files].filter(file => file.startsWith(join(source, 'schemas')))).toEqual([])
  })

  it('imports nothing when built', async () => {
    await builtEntry()
    expect([...reachedFrom(join(output, 'index.js')).packages]).toEqual([])
    expect([...reachedFrom(join(output, 'schemas.js')).packages]).toEqual(['zod'])
  })
})
