import { describe, expect, test } from 'vitest'
import { checkBody, errorsOf, summary } from './script.ts'

function characters(from: number, to = from): string[] {
  return Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i))
}

describe('forbidden code points', () => {
  test.each([
    ...characters(0x202a, 0x202e),
    ...characters(0x2066, 0x2069),
    ...characters(0x00, 0x08),
    ...characters(0x0b, 0x0c),
    ...characters(0x0e, 0x1f),
    ...characters(0x7f, 0x9f),
    ...characters(0x200b),
    ...characters(0x200e, 0x200f),
    ...characters(0x2060, 0x2064),
    ...characters(0xfeff),
    ...characters(0xe0041),
  ])('%j is refused in a string, a comment and code', character => {
    const name = `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
    for (const body of [`return 'a${character}b'`, `// a${character}b`]) {
      const result = checkBody(body)
      expect(summary(result)[0]).toMatch(/^code-point 2:\d+$/)
      expect(errorsOf(result)[0]?.message).toContain(name)
    }
    expect(summary(checkBody(`return a${character}`))).toContain('code-point 2:9')
  })

  test('are named with line and column, each of them', () => {
    const result = checkBody("const a = 'x\u202Ey'\n// \u2066")
    expect(summary(result)).toEqual(['code-point 2:13', 'code-point 3:4'])
    expect(errorsOf(result)[0]?.message).toBe(
      'U+202E changes the direction of text and is not allowed; write \\u202E in a string if you need it',
    )
  })

  test('do not reach the frame', () => {
    const [finding] = errorsOf(checkBody("return '\u001b[31m\u202E'"))
    for (const hidden of ['\u001b', '\u202E']) expect(finding?.frame).not.toContain(hidden)
    expect(finding?.frame).toContain("return '\uFFFD[31m\uFFFD'")
  })

  test('leave tabs, emoji, flags and the joiners of living scripts alone', () => {
    const body = "\treturn '👩‍👩‍👧 🏳️‍🌈 🏴󠁧󠁢󠁥󠁮󠁧󠁿 می‌خواهم क्‍ष ﷺ é ８'\r\n"
    expect(checkBody(body)).toMatchObject({ ok: true })
  })

  test('include joiners that hide between ASCII characters', () => {
    expect(summary(checkBody('const a\u200Db = 1'))).toEqual(['code-point 2:8'])
  })
})

describe('line and paragraph separators', () => {
  test('are fine within strings and templates', () => {
    expect(checkBody("return ['a\u2028b', `a\u2029b`]")).toMatchObject({ ok: true })
  })

  test('are refused where they could hide code', () => {
    const result = checkBody('// nothing here\u2028log(1)')
    expect(summary(result)).toEqual(['code-point 2:16'])
  })
})
