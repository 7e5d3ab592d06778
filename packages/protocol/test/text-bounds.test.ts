import { test } from '@fast-check/vitest'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  boundError,
  boundLabel,
  boundLog,
  boundPreview,
  clip,
  ERROR_LIMIT,
  LABEL_LIMIT,
  LOG_LIMIT,
  PREVIEW_LIMIT,
  stripControl,
} from '../src/text-bounds.ts'

const escape = String.fromCharCode(27)

describe('text for frames', () => {
  it('keeps what is harmless as it is', () => {
    expect(boundError('line 1\n\tline 2 – 😀')).toBe('line 1\n\tline 2 – 😀')
  })

  it('loses terminal sequences whole', () => {
    const bell = String.fromCharCode(7)
    const text = `${escape}[1;31mred${escape}[0m ${escape}]0;title${bell}${escape}]8;;x${escape}\\link ${escape}c\u009b2Jend`
    expect(stripControl(text)).toBe('red link end')
  })

  it('loses control characters and changes of direction', () => {
    expect(stripControl('a\u0000b\rc\u0085d\u202ee\u2066f\ufeffg\u007f')).toBe('abcdefg')
  })

  it('keeps the text after a terminal sequence that does not end', () => {
    expect(stripControl(`${escape}]0;shown`)).toBe('0;shown')
  })

  it('makes a label one line', () => {
    expect(boundLabel('  audit:\n\tstyle\u2028guide ')).toBe('audit: style guide')
  })

  it('cuts at the limits', () => {
    const long = 'x'.repeat(100_000)
    expect(boundLabel(long)).toBe(`${'x'.repeat(LABEL_LIMIT - 1)}…`)
    expect(boundError(long)).toHaveLength(ERROR_LIMIT)
    expect(boundPreview(long)).toHaveLength(PREVIEW_LIMIT)
    expect(boundLog(long)).toHaveLength(LOG_LIMIT)
  })

  it('never cuts a surrogate pair', () => {
    expect(clip('ab😀cd', 4)).toBe('ab…')
    expect(clip('ab😀cd', 5)).toBe('ab😀…')
  })

  test.prop([fc.string({ unit: 'grapheme', maxLength: 600 }), fc.integer({ min: 2, max: 500 })])(
    'stays well-formed and within the limit',
    (text, limit) => {
      const clipped = clip(text, limit)
      expect(clipped.length).toBeLessThanOrEqual(limit)
      expect(new TextDecoder().decode(new TextEncoder().encode(clipped))).toBe(clipped)
    },
  )

  test.prop([fc.string({ unit: 'binary', maxLength: 600 })])('a preview can be bounded twice', text => {
    expect(boundPreview(boundPreview(text))).toBe(boundPreview(text))
  })
})
