import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, test, vi } from 'vitest'

const read = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8')

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

describe('the README', () => {
  test('shows the example that is type-checked', () => {
    const [, code] = /```ts\n([\s\S]*?)```/.exec(read('../README.md')) ?? []
    expect(code).toBe(read('readme-example.ts'))
  })

  test('has an example that works', async () => {
    for (const name of ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'OPENAI_API_KEY']) vi.stubEnv(name, '')
    vi.stubEnv('TUTTI_SIMULATE_SPEED', 'instant')
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    await import('./readme-example.ts')
    expect(written.mock.calls.map(([text]) => text).join('')).toMatch(
      /^"Simulated answer to \\"Name one thing/,
    )
  })
})
