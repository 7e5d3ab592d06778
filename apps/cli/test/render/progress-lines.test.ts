import { fc, test as propertyTest } from '@fast-check/vitest'
import type { AgentRow } from '@tutti/protocol'
import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import { createColors } from '../../src/render/colors.ts'
import { progressLines } from '../../src/render/progress-lines.ts'
import { createProgressState, type ProgressState } from '../../src/render/progress-state.ts'
import { row } from '../support/runs.ts'

const plain = createColors(false)

function state(agents: AgentRow[], changes: Partial<ProgressState> = {}): ProgressState {
  return {
    ...createProgressState({ name: 'review', description: 'Review what changed', startedAt: 0 }),
    phases: new Map([
      [1, 'Review'],
      [2, 'Verify'],
    ]),
    agents: new Map(agents.map(one => [one.index, one])),
    ...changes,
  }
}

const SCENE = state(
  [
    row(1, { phaseIndex: 1, label: 'audit:correctness', state: 'done', tokens: 1234, durationMs: 3100 }),
    row(2, {
      phaseIndex: 1,
      label: 'audit:security',
      state: 'error',
      cause: 'rate_limited',
      durationMs: 900,
    }),
    row(3, { phaseIndex: 1, label: 'audit:tests', state: 'cached', tokens: 0, durationMs: 0 }),
    row(4, {
      phaseIndex: 2,
      label: '验证:一个很长的标题 that goes on and on and on',
      startedAt: 11_000,
      lastToolName: 'Read',
      lastToolSummary: 'src/index.ts',
    }),
    row(5, {
      phaseIndex: 2,
      label: 'verify:b',
      startedAt: 11_500,
      attempt: 2,
      lastAttemptReason: 'overloaded',
    }),
    row(6, { phaseIndex: 2, label: 'verify:c', state: 'error', cause: 'stopped', durationMs: 10 }),
  ],
  { lastLog: '2 of 3 findings confirmed' },
)

function frame(columns: number, rows = 24, scene = SCENE): string {
  return progressLines(scene, { columns, rows, colors: plain }, 12_000).join('\n')
}

describe('a frame', () => {
  test('at 80 columns', () => {
    expect(frame(80)).toMatchInlineSnapshot(`
      "review · Review what changed                                                12s
      ● Review  1 done · 1 cached · 1 failed
        ✓ audit:correctness                                          1.2k tok    3.1s
        ✗ audit:security                               rate limited              0.9s
        = audit:tests                                        cached              0.0s
      ● Verify  2 running · 1 stopped
        ▸ 验证:一个很长的标题 that goes on and …  Read src/index.ts              1.0s
        ▸ verify:b                                try 2: overloaded              0.5s
        ■ verify:c                                          stopped              0.0s
      › 2 of 3 findings confirmed
      2 running · 1 done · 1 cached · 1 failed · 1 stopped · 1234 tokens"
    `)
  })

  test('at 120 columns', () => {
    expect(frame(120)).toMatchInlineSnapshot(`
      "review · Review what changed                                                                                 12s
      ● Review  1 done · 1 cached · 1 failed
        ✓ audit:correctness                                                                           1.2k tok    3.1s
        ✗ audit:security                                                                rate limited              0.9s
        = audit:tests                                                                         cached              0.0s
      ● Verify  2 running · 1 stopped
        ▸ 验证:一个很长的标题 that goes on and on and on                           Read src/index.ts              1.0s
        ▸ verify:b                                                                 try 2: overloaded              0.5s
        ■ verify:c                                                                           stopped              0.0s
      › 2 of 3 findings confirmed
      2 running · 1 done · 1 cached · 1 failed · 1 stopped · 1234 tokens"
    `)
  })

  test('at 40 columns', () => {
    expect(frame(40)).toMatchInlineSnapshot(`
      "review · Review what changed        12s
      ● Review  1 done · 1 cached · 1 failed
        ✓ audit:correctness              3.1s
        ✗ audit:security  rate limit…    0.9s
        = audit:tests          cached    0.0s
      ● Verify  2 running · 1 stopped
        ▸ 验证:一个很长的标题 that g…    1.0s
        ▸ verify:b  try 2: overloaded    0.5s
        ■ verify:c            stopped    0.0s
      › 2 of 3 findings confirmed
      2 running · 1 done · 1 cached · 1 fail…"
    `)
  })

  test('at 12 columns', () => {
    expect(frame(12)).toMatchInlineSnapshot(`"2 running …"`)
  })

  test('before anything happened', () => {
    expect(frame(80, 24, state([]))).toMatchInlineSnapshot(`
      "review · Review what changed                                                12s
      ○ Review
      ○ Verify
      starting"
    `)
  })

  test('of a script without phases', () => {
    expect(frame(80, 24, state([row(1)], { phases: new Map() }))).toMatchInlineSnapshot(`
      "review · Review what changed                                                12s
        ▸ agent 1                                                                 12s
      1 running"
    `)
  })

  test('a phase that shows none of its agents needs no line to say so', () => {
    const many = [
      row(1, { phaseIndex: 1, phaseTitle: 'Review', state: 'done' }),
      ...Array.from({ length: 20 }, (_, at) => row(at + 2, { phaseIndex: 2, phaseTitle: 'Verify' })),
    ]
    const lines = frame(60, 12, state(many)).split('\n')
    expect(lines[1]).toContain('Review  1 done')
    expect(lines[2]).toContain('Verify  20 running')
    expect(lines.filter(line => line.includes('more'))).toEqual(['  … 14 more running'])
  })

  test('with more agents than rows shows the interesting ones and counts the rest', () => {
    const agents = Array.from({ length: 50 }, (_, at) =>
      row(at + 1, {
        phaseIndex: at < 30 ? 1 : 2,
        ...(at === 3 ? { state: 'error' as const, cause: 'timeout' as const } : {}),
        ...(at < 40 && at !== 3 ? { state: 'done' as const, endedAt: at, durationMs: 1000 } : {}),
      }),
    )
    expect(frame(60, 18, state(agents))).toMatchInlineSnapshot(`
      "review · Review what changed                            12s
      ● Review  29 done · 1 failed
        ✗ agent 4                       timeout               12s
        … 29 more done
      ● Verify  10 running · 10 done
        ▸ agent 41                                            12s
        ▸ agent 42                                            12s
        ▸ agent 43                                            12s
        ▸ agent 44                                            12s
        ▸ agent 45                                            12s
        ▸ agent 46                                            12s
        ▸ agent 47                                            12s
        ▸ agent 48                                            12s
        ▸ agent 49                                            12s
        ▸ agent 50                                            12s
        … 10 more done
      10 running · 39 done · 1 failed"
    `)
  })

  test('in a window of one line is the totals', () => {
    expect(frame(80, 2)).toMatchInlineSnapshot(
      `"2 running · 1 done · 1 cached · 1 failed · 1 stopped · 1234 tokens"`,
    )
  })

  test('without colour has no escape sequences, with colour it has', () => {
    expect(frame(80)).not.toContain('\u001b')
    const lines = progressLines(SCENE, { columns: 80, rows: 24, colors: createColors(true) }, 12_000)
    expect(lines.join('')).toContain('\u001b[')
  })
})

describe('any state', () => {
  const anyRow = fc.record({
    index: fc.integer({ min: 1, max: 60 }),
    label: fc.string({ unit: 'grapheme', maxLength: 60 }),
    state: fc.constantFrom('start' as const, 'done' as const, 'error' as const, 'cached' as const),
    phaseIndex: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    error: fc.string({ unit: 'binary', maxLength: 30 }),
    tokens: fc.integer({ min: 0, max: 10_000_000 }),
    lastToolName: fc.option(fc.string({ maxLength: 20 }), { nil: undefined }),
  })

  const anyScene = fc.record({
    rows: fc.array(anyRow, { maxLength: 60 }),
    columns: fc.integer({ min: 1, max: 200 }),
    height: fc.integer({ min: 2, max: 60 }),
    text: fc.string({ unit: 'grapheme', maxLength: 50 }),
    color: fc.boolean(),
  })

  propertyTest.prop([anyScene])('never makes a frame that is wider or higher than the screen', given => {
    const { rows, columns, height, text, color } = given
    const scene = state(
      rows.map(({ index, ...changes }) => row(index, changes)),
      { lastLog: text, name: text },
    )
    const screen = { columns, rows: height, colors: createColors(color) }
    const lines = progressLines(scene, screen, 5000)
    expect(lines.length).toBeLessThan(height)
    for (const line of lines) {
      expect(line).not.toContain('\n')
      expect(stringWidth(line)).toBeLessThanOrEqual(Math.max(1, columns - 1))
    }
  })
})
