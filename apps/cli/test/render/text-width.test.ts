import { fc, test as propertyTest } from '@fast-check/vitest'
import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import {
  fitText,
  padLeft,
  padText,
  safeBlock,
  safeLine,
  textWidth,
  wrapText,
} from '../../src/render/text-width.ts'

describe('safe text', () => {
  test('cannot steer a terminal', () => {
    expect(safeLine('a\u001b[31mb\u0007\u009b2Jc')).toBe('a[31mb2Jc')
    expect(safeLine('a\r\n\tb')).toBe('a b')
    expect(safeLine('abc\u202edef\u2066')).toBe('abcdef')
  })

  test('keeps breaks and tabs in a block', () => {
    expect(safeBlock('a\n\tb\u001b[2Jc\r')).toBe('a\n\tb[2Jc')
  })

  test('has no joiners, whose width terminals do not agree on', () => {
    expect(safeLine('👩\u200d👧\ufe0f')).toBe('👩👧')
  })
})

describe('width', () => {
  test('counts wide characters as two, combining ones as none', () => {
    expect(textWidth('abc')).toBe(3)
    expect(textWidth('调查')).toBe(4)
    expect(textWidth('e\u0301')).toBe(1)
    expect(textWidth('\u001b[31mred\u001b[39m')).toBe(3)
  })

  test('counts the letters of a Hangul syllable once, and one that stands alone by itself', () => {
    expect(textWidth('\u1112\u1161\u11ab')).toBe(2)
    expect(textWidth('하\u11ab')).toBe(2)
    expect(textWidth('\u1161')).toBe(1)
    expect(textWidth('a\u1161')).toBe(2)
    expect(textWidth('\u1112\u11ab')).toBe(3)
    expect(textWidth('한\u1161')).toBe(3)
    expect(textWidth('\u1100가\u11a8')).toBe(5)
    expect(textWidth('\ud7b0')).toBe(1)
  })

  const hangul = fc.string({
    unit: fc.constantFrom('\u1100', '\u1161', '\u11a8', '\ud7b0', '\ud7cb', '가', '각', 'a', '\u0301'),
    maxLength: 12,
  })

  propertyTest.prop([hangul])('is at least what any terminal makes of Hangul', text => {
    expect(textWidth(text)).toBeGreaterThanOrEqual(stringWidth(text))
  })

  test('a cut never goes through a character', () => {
    expect(fitText('调查员', 4)).toBe('调…')
    expect(fitText('e\u0301e\u0301e\u0301', 2)).toBe('e\u0301…')
    expect(fitText('abcdef', 4)).toBe('abc…')
    expect(fitText('abc', 3)).toBe('abc')
    expect(fitText('abc', 0)).toBe('')
  })

  test('padding fills to the width asked for', () => {
    expect(padText('调', 4)).toBe('调  ')
    expect(padLeft('7s', 4)).toBe('  7s')
  })

  propertyTest.prop([fc.string({ unit: 'grapheme', maxLength: 40 }), fc.integer({ min: 0, max: 30 })])(
    'fitted text is never wider than asked, whatever is in it',
    (text, width) => {
      expect(stringWidth(fitText(safeLine(text), width))).toBeLessThanOrEqual(width)
    },
  )
})

test('wrapping breaks between words only', () => {
  expect(wrapText('one two three four', 9)).toEqual(['one two', 'three', 'four'])
  expect(wrapText('averyverylongword x', 5)).toEqual(['averyverylongword', 'x'])
})
