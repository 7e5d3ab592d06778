import { describe, expect, test } from 'vitest'
import { codeFrame } from '../../src/check/code-frame.ts'
import { placeAt, sourceText } from '../../src/check/source-text.ts'

function frame(text: string, offset: number): string[] {
  const source = sourceText(text)
  return codeFrame(source, placeAt(source, offset)).split('\n')
}

describe('codeFrame', () => {
  test('shows two lines around the place with a caret below it', () => {
    const text = Array.from({ length: 12 }, (_, i) => `line ${i + 1}`).join('\n')
    expect(frame(text, text.indexOf('10'))).toEqual([
      '   8 | line 8',
      '   9 | line 9',
      '> 10 | line 10',
      '     |      ^',
      '  11 | line 11',
      '  12 | line 12',
    ])
  })

  test('shows fewer lines at the edges and copes with an empty text', () => {
    expect(frame('a\nb', 0)).toEqual(['> 1 | a', '    | ^', '  2 | b'])
    expect(frame('', 0)).toEqual(['> 1 |', '    | ^'])
  })

  test.each(['\r\n', '\n', '\r', '\u2028'])('splits lines at %j', end => {
    expect(frame(`ab${end}cd${end}ef`, 3 + end.length)).toEqual([
      '  1 | ab',
      '> 2 | cd',
      '    |  ^',
      '  3 | ef',
    ])
  })

  test('keeps tabs before the caret', () => {
    expect(frame('\tif (a) {\t b', 10)).toEqual(['> 1 | \tif (a) {\t b', '    | \t        \t^'])
  })

  test('points behind the end of a line', () => {
    expect(frame('ab', 2)).toEqual(['> 1 | ab', '    |   ^'])
  })

  test('clips long lines around the caret', () => {
    const text = `${'a'.repeat(1000)}X${'b'.repeat(1000)}`
    const [line, caret] = frame(text, 1000)
    expect(line!.length).toBe(106)
    expect(line![caret!.indexOf('^')]).toBe('X')
    expect(line).toMatch(/^> 1 \| …a+Xb+…$/)
  })

  test('clips the neighbours of a short line at its end only', () => {
    const [first, second] = frame(`${'a'.repeat(200)}\nb`, 201)
    expect(first).toMatch(/^ {2}1 \| a{99}…$/)
    expect(second).toBe('> 2 | b')
  })
})
