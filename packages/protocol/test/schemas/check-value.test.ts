import { describe, expect, it } from 'vitest'
import {
  checkSettings,
  checkValue,
  OutFrameSchema,
  pathText,
  SerializedErrorSchema,
} from '../../src/schemas/index.ts'

describe('checking a value', () => {
  it('gives the settings with the keys of others', () => {
    const value = { statusLine: { type: 'command' }, tutti: { concurrency: 3, later: true } }
    expect(checkSettings(value)).toEqual({ ok: true, value })
  })

  it('tells path and kind of each wrong value', () => {
    const checked = checkSettings({ tutti: { retries: 'two', prices: { opus: { input: 1, output: '2' } } } })
    expect(checked).toEqual({
      ok: false,
      issues: [
        { path: ['tutti', 'retries'], message: expect.stringContaining('expected number') as string },
        {
          path: ['tutti', 'prices', 'opus', 'output'],
          message: expect.stringContaining('received string') as string,
        },
      ],
    })
  })

  it('says what a value of several kinds may be', () => {
    expect(checkSettings({ workflowSizeGuideline: [] })).toEqual({
      ok: false,
      issues: [{ path: ['workflowSizeGuideline'], message: 'expected string or number' }],
    })
  })

  it('speaks of the variant that was meant', () => {
    const frame = {
      type: 'system',
      subtype: 'task_updated',
      uuid: 'u',
      session_id: 's',
      task_id: 'w',
      patch: {},
    }
    const checked = checkValue(OutFrameSchema, frame)
    expect(checked.ok ? [] : checked.issues.map(issue => issue.path)).toEqual([['patch', 'status']])
  })

  it('refuses errors nested without end instead of throwing', () => {
    let error: object = { name: 'Error', message: 'innermost' }
    for (let depth = 0; depth < 50_000; depth += 1) error = { name: 'Error', message: 'outer', cause: error }
    expect(checkValue(SerializedErrorSchema, error).ok).toBe(false)
  })

  it('refuses what is no JSON', () => {
    const cyclic: { [key: string]: unknown } = {}
    cyclic['self'] = cyclic
    for (const notify of [
      cyclic,
      { at: new Date(0) },
      { run: () => 1 },
      { n: Number.NaN },
      { u: undefined },
    ]) {
      expect(checkSettings({ tutti: { notify } }).ok).toBe(false)
    }
  })

  it('writes paths as people read them', () => {
    expect(pathText(['tutti', 'prices', 'opus', 'input'])).toBe('tutti.prices.opus.input')
    expect(pathText(['phases', 2, 'title'])).toBe('phases[2].title')
    expect(pathText([])).toBe('(root)')
  })
})
