import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const src = new URL('../src/', import.meta.url)

/** What is loaded with a file: its static imports, and theirs. Imports of types load nothing. */
function loadedBy(file: string, found: Set<string> = new Set()): Set<string> {
  const url = new URL(file, src)
  for (const [, name = ''] of readFileSync(url, 'utf8').matchAll(
    /^(?:import|export) (?!type )[^'()=]* from '([^']+)'$/gm,
  )) {
    const path = name.startsWith('.') ? new URL(name, url).href.slice(src.href.length) : name
    if (found.has(path)) continue
    found.add(path)
    if (name.startsWith('.')) loadedBy(path, found)
  }
  return found
}

test('the executor loads no backend and nothing a backend needs', () => {
  const loaded = [...loadedBy('index.ts')]
  expect(loaded).toContain('executor.ts')
  expect(loaded.filter(path => path.includes('/'))).toEqual(['@tutti/runtime'])
})

test('the model backend loads neither provider until one is used', () => {
  const packages = [...loadedBy('model/index.ts')].filter(path => !/\.ts$|^node:/.test(path))
  expect(packages.toSorted()).toEqual(['@ai-sdk/provider', '@tutti/runtime'])
})

test('simulate loads its generator at the first schema', () => {
  expect([...loadedBy('simulate/index.ts')]).not.toContain('json-schema-faker')
})
