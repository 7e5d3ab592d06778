import { describe, expect, test } from 'vitest'
import { createNotes } from '../../src/output/notes.ts'
import { createScrubber } from '../../src/output/secrets.ts'

function notes(verbose = false): { lines: string[]; note(text: string): void } {
  const lines: string[] = []
  const note = createNotes({
    scrub: createScrubber({ A_KEY: 'abcdefgh1' }),
    write: line => void lines.push(line),
    verbose,
  })
  return { lines, note }
}

describe('notes', () => {
  test('are one line each, without control characters and secrets', () => {
    const { lines, note } = notes()
    note('a\u001b[31m\nb abcdefgh1')
    expect(lines).toEqual(['a b [redacted]'])
  })

  test.each([
    [false, 16 * 1024],
    [true, 64 * 1024],
  ])('stay below what a pipe takes (verbose: %s)', (verbose, limit) => {
    const { lines, note } = notes(verbose)
    for (let n = 0; n < 500; n++) note(`${n} ${'ü'.repeat(2000)}`)
    const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)
    expect(bytes).toBeLessThan(limit)
    expect(lines.at(-1)).toBe('tutti: further messages are left out')
    expect(lines.filter(line => line.includes('left out'))).toHaveLength(1)
  })
})
