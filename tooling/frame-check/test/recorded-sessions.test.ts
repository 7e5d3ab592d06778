// Sessions of the command as they were recorded, with all that both sides said.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { checkFrames, type CheckOptions } from '../src/check-frames.ts'
import { problemText } from '../src/problem.ts'
import { splitLines, type RecordedLine } from '../src/recording.ts'

const CRITICAL = ['task_started', 'task_updated', 'task_notification']

describe.each([
  ['session', { dialect: 'codebuddy' }],
  ['interrupted', { dialect: 'codebuddy' }],
  ['claude-code', { dialect: 'claude-code' }],
] as [string, CheckOptions][])('the recording %s', (name, options) => {
  const lines = splitLines(readFileSync(new URL(`fixtures/${name}.jsonl`, import.meta.url), 'utf8')).map(
    line => JSON.parse(line) as RecordedLine,
  )
  const check = (changed: RecordedLine[]): string => problemText(checkFrames(changed, options))
  const places = lines.flatMap(({ from, line }, at) => {
    const { type, subtype } = JSON.parse(line) as { type: string; subtype?: string }
    const critical = CRITICAL.includes(subtype ?? '') || ['result', 'control_response'].includes(type)
    return from === 'session' && (critical || subtype === 'init') ? [at] : []
  })

  it('keeps every rule', () => {
    expect(check(lines)).toBe('')
    expect(places.length).toBeGreaterThan(5)
  })

  it.each(places)('is caught without its critical frame at %d', at => {
    expect(check(lines.toSpliced(at, 1))).not.toBe('')
  })

  it.each(places)('is caught with its critical frame at %d twice', at => {
    expect(check(lines.toSpliced(at, 0, lines[at]!))).not.toBe('')
  })

  it('is caught with its terminal pairs the other way round', () => {
    for (const at of places) {
      if (!lines[at]!.line.includes('"task_notification"')) continue
      const [update, notification] = [lines[at - 1]!, lines[at]!]
      expect(check(lines.with(at - 1, notification).with(at, update))).not.toBe('')
    }
  })
})
