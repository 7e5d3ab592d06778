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

function packagesIn(loaded: string[]): string[] {
  return loaded.filter(path => !/\.ts$|^node:/.test(path)).toSorted()
}

test('the executor loads no backend and nothing a backend needs', () => {
  const loaded = [...loadedBy('index.ts')]
  expect(loaded).toContain('executor.ts')
  expect(packagesIn(loaded)).toEqual(['@tutti/protocol', '@tutti/runtime'])
  const backends = /^(acp|cli|governor|model|scripted|shell|simulate|tools|worktree)\//
  expect(loaded.filter(path => backends.test(path))).toEqual([])
})

test('the model backend loads neither provider until one is used', () => {
  const packages = packagesIn([...loadedBy('model/index.ts')])
  expect(packages).toEqual(['@ai-sdk/provider', '@tutti/protocol', '@tutti/runtime'])
})

test('a chat loads no provider, no tool and no server of tools until it is used', () => {
  const loaded = [...loadedBy('chat/index.ts')]
  expect(packagesIn(loaded)).toEqual(['@tutti/protocol', '@tutti/runtime'])
  expect(loaded.filter(path => /^tools\/(?!names)|provider/.test(path))).toEqual([])
})

test('simulate loads its generator at the first schema', () => {
  expect([...loadedBy('simulate/index.ts')]).not.toContain('json-schema-faker')
})
