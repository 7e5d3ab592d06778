import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { encodeLine } from '../src/ndjson.ts'
import { lines } from './fixtures.ts'

const read = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8')

afterEach(() => vi.restoreAllMocks())

describe('the README', () => {
  it('shows the example that is type-checked', () => {
    const [, code] = /```ts\n([\s\S]*?)```/.exec(read('../README.md')) ?? []
    expect(code).toBe(read('readme-example.ts'))
  })

  it('has an example that works', async () => {
    const recording = lines('1.0.0/accepted/out-frame.codebuddy.jsonl').map(encodeLine).join('')
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([recording]) as typeof process.stdin)
    const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    await import('./readme-example.ts')
    expect(written.mock.calls.map(([text]) => text)).toContain('review-changes: 3 of 3 agents\n')
  })
})
