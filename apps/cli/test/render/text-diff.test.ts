import { describe, expect, test } from 'vitest'
import { createColors } from '../../src/render/colors.ts'
import { textDiff } from '../../src/render/text-diff.ts'

const colors = createColors(false)
const diff = (a: string, b: string, options: { context?: number; lines?: number } = {}): Promise<string[]> =>
  textDiff(a, b, { colors, context: 1, lines: 30, ...options })

describe('the difference of two texts', () => {
  test('is nothing for equal ones', async () => {
    expect(await diff('a\nb', 'a\nb\n')).toEqual([])
  })

  test('shows changed words within their line', async () => {
    expect(await diff('check the red door', 'check the blue door')).toEqual([
      '~ check the [-red-]{+blue+} door',
    ])
  })

  test('shows two lines where hardly a word is the same', async () => {
    expect(await diff('one two three', 'four five six')).toEqual(['- one two three', '+ four five six'])
  })

  test('shows added and removed lines with those around them', async () => {
    expect(await diff('1\n2\n3\n4\n5', '1\n2\n3\nnew\n4\n5')).toEqual(['  3', '+ new', '  4'])
    expect(await diff('1\n2\n3', '1\n3')).toEqual(['  1', '- 2', '  3'])
  })

  test('separates changes that are far apart', async () => {
    const before = Array.from({ length: 20 }, (_, i) => `line ${i}`)
    const after = before.map(line => (line === 'line 3' || line === 'line 15' ? `${line} more` : line))
    expect(await diff(before.join('\n'), after.join('\n'), { context: 0 })).toEqual([
      '~ line 3{+ more+}',
      '…',
      '~ line 15{+ more+}',
    ])
  })

  test('shortens what stays the same within a long line', async () => {
    const long = 'word '.repeat(100)
    const [line = ''] = await diff(`${long}old ${long}`, `${long}new ${long}`)
    expect(line).toContain('[-old-]{+new+}')
    expect(line.length).toBeLessThan(120)
  })

  test('is cut after some lines, and says so', async () => {
    const many = Array.from({ length: 50 }, (_, i) => `n${i}`).join('\n')
    const lines = await diff('', many, { lines: 10 })
    expect(lines).toHaveLength(11)
    expect(lines.at(-1)).toBe('… and 40 more lines')
  })

  test('has colours where there are some', async () => {
    const [line = ''] = await textDiff('a red door', 'a blue door', {
      colors: createColors(true),
      context: 1,
      lines: 9,
    })
    expect(line).toContain('\u001b[31m[-red-]\u001b[39m\u001b[32m{+blue+}\u001b[39m')
  })

  test('cannot steer the terminal', async () => {
    expect((await diff('say \u001b[2Ja', 'say \u001b[2Jb')).join()).not.toContain('\u001b')
  })

  test('of two long texts that share nothing ends in time', async () => {
    const text = (seed: string): string =>
      Array.from({ length: 20_000 }, (_, i) => `${seed}${(i * 7919) % 9973}`).join('\n')
    expect((await diff(text('a'), text('b'), { lines: 5 })).length).toBeLessThanOrEqual(6)
  })
})
