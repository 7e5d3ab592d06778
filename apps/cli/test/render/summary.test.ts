import { describe, expect, test } from 'vitest'
import { createColors } from '../../src/render/colors.ts'
import { summaryLine, summaryText } from '../../src/render/summary.ts'
import { LOCATIONS, runEnd } from '../support/runs.ts'

const colors = createColors(false)
const resumeCommand = 'tutti resume wf_00000001-abc'

function summary(...of: Parameters<typeof runEnd>): string {
  return summaryText({ end: runEnd(...of), locations: LOCATIONS, colors, resumeCommand, durationMs: 4200 })
}

describe('the summary', () => {
  test('of a completed, simulated run', () => {
    const census = { total: 3, ok: 2, cached: 1, failed: 0, stopped: 0, skipped: 0 }
    expect(summary({ dispatched: 2, tokens: 500 }, { census, simulated: true })).toMatchInlineSnapshot(`
      "✓ audit completed in 4.2s
        agents=2 tokens=500 duration=4.2s (3 calls: 2 ok, 1 cached)
        simulated     no model was asked; all answers were made up
        run           wf_00000001-abc
        replay        tutti resume wf_00000001-abc
        files in      /config/projects/-p/s
          result      wf_00000001-abc.output.json
          record      wf_00000001-abc.json
          journal     wf_00000001-abc.journal.jsonl
          script      scripts/wf_00000001-abc.js
          transcripts subagents/workflows/wf_00000001-abc
      "
    `)
  })

  test('of a degraded run lists what went wrong and why', () => {
    const text = summary(
      { degraded: true },
      {
        degraded: true,
        warnings: ['an agent() nobody awaits'],
        failures: [
          { kind: 'agent', label: 'audit:a', cause: 'timeout', message: 'over 5 s' },
          { kind: 'stage', index: 4, message: 'stage 2 failed: boom' },
        ],
      },
    )
    expect(text).toContain('completed with failures')
    expect(text).toContain('    audit:a: timeout: over 5 s\n    stage 4: stage 2 failed: boom\n')
    expect(text).toContain('  warnings\n    an agent() nobody awaits\n')
  })

  test('of a failed run shows the error, its place and its causes', () => {
    const text = summary({
      status: 'failed',
      error: {
        name: 'ScriptError',
        code: 'script-error',
        message: 'boom',
        stack: 'ScriptError: boom\n    at workflow.js:3:7\n    at internal',
        cause: { name: 'TypeError', message: 'x is not a function' },
      },
    })
    expect(text).toContain(
      '  error\n    ScriptError: boom (script-error)\n      at workflow.js:3:7\n    caused by TypeError: x is not a function\n',
    )
    expect(text).toContain('resume        tutti resume wf_00000001-abc')
  })

  test('of a paused run says by what and until when', () => {
    const text = summary({ status: 'paused', pausedBy: 'quota', resetAt: Date.UTC(2026, 0, 2) })
    expect(text).toContain('paused: quota until 2026-01-02T00:00:00.000Z')
  })

  test('of a stopped run does not list every agent that the stop ended', () => {
    const text = summary(
      { status: 'killed' },
      {
        failures: [
          { kind: 'agent', label: 'a', cause: 'stopped', message: 'stopped' },
          { kind: 'agent', label: 'b', cause: 'crashed', message: 'exit 1' },
        ],
      },
    )
    expect(text).toContain('stopped in 4.2s')
    expect(text).toContain('  failures\n    b: crashed: exit 1\n')
  })

  test('lists at most twenty failures', () => {
    const failures = Array.from({ length: 30 }, (_, index) => ({
      kind: 'agent' as const,
      label: `a${index}`,
      message: `x${index}`,
    }))
    expect(summary({}, { failures })).toContain('    a19: x19\n    … and 10 more\n')
  })

  test('tells the same failure of several agents once', () => {
    const failures = Array.from({ length: 14 }, (_, index) => ({
      kind: 'agent' as const,
      label: `a${index}`,
      cause: 'permission_denied' as const,
      message: 'not allowed\nat all',
    }))
    const text = summary({}, { failures: [...failures, { kind: 'stage', index: 3, message: 'boom' }] })
    expect(text).toContain(
      '    permission_denied × 14: a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, … and 2 more\n' +
        '      not allowed\n      at all\n    stage 3: boom\n',
    )
  })

  test('tells output tokens beside all of them where a budget counts them', () => {
    const base = runEnd().record
    const counted = { limits: { ...base.limits, outputTokens: 1000 }, usage: { ...base.usage, output: 178 } }
    expect(summary({ tokens: 1301 }, counted)).toContain('tokens=1301 output=178 duration')
    expect(summary({ tokens: 1301 })).toContain('tokens=1301 duration')
  })

  test('tells how much of it was made up', () => {
    const row = {
      type: 'workflow_agent' as const,
      agentId: 'a',
      key: 'a',
      label: 'a',
      n: 1,
      state: 'done' as const,
    }
    const rows = [
      { ...row, index: 1, model: 'simulate' },
      { ...row, index: 2, agentType: 'shell' },
    ]
    expect(summary({}, { simulated: true, progress: rows })).toContain('1 of 2 answers were made up')
    expect(summary({}, { simulated: true, progress: rows.slice(0, 1) })).toContain('all answers were made up')
    expect(summaryLine(runEnd({}, { simulated: true }), 1)).toContain(' · simulated: no model was asked')
  })

  test('shows the home folder as ~ and breaks long paths at slashes', () => {
    const end = runEnd()
    const options = { end, locations: LOCATIONS, colors, resumeCommand, durationMs: 1 }
    const text = summaryText({ ...options, home: '/config', width: 32 })
    expect(text).toContain('  files in      ~/projects/-p/s\n')
    expect(text).toContain(
      '    transcripts subagents/\n                workflows/\n                wf_00000001-abc\n',
    )
    expect(summaryText({ ...options, home: '/conf' })).toContain('files in      /config/projects/-p/s\n')
  })

  test('names files one by one when they share no folder', () => {
    const text = summaryText({
      end: runEnd(),
      locations: { ...LOCATIONS, journal: 's3://bucket/journal' },
      colors,
      resumeCommand,
      durationMs: 1,
    })
    expect(text).toContain(`result        ${LOCATIONS.output}`)
    expect(text).toContain('journal       s3://bucket/journal')
  })
})

test('the short form is one line with the same totals', () => {
  expect(summaryLine(runEnd({ dispatched: 0, tokens: 0 }), 300)).toBe(
    'completed wf_00000001-abc agents=0 tokens=0 duration=0.3s (0 calls)\n',
  )
})
