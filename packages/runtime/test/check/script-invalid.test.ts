import { describe, expect, test } from 'vitest'
import { formatFindings } from '../../src/check/format-findings.ts'
import { scriptInvalid } from '../../src/check/script-invalid.ts'
import { WorkflowInputError } from '../../src/errors/errors.ts'
import { checkBody, findingsOf } from './script.ts'

const findings = findingsOf(checkBody('agent(1)\nconst a = Date.now()\nconst b = Math.random()'))

describe('scriptInvalid', () => {
  test('says the first error with place and frame, and how many more there are', () => {
    const error = scriptInvalid(findings, 'audit.js')
    expect(error).toBeInstanceOf(WorkflowInputError)
    expect(error).toMatchObject({ name: 'WorkflowInputError', code: 'script-invalid', findings })
    expect(error.message.split('\n')).toEqual([
      expect.stringMatching(/^audit\.js:3:11 Date\.now\(\) is not available: /),
      '',
      expect.stringMatching(/^ {2}1 \| export const meta/),
      '  2 | agent(1)',
      '> 3 | const a = Date.now()',
      '    |           ^',
      '  4 | const b = Math.random()',
      '',
      'and 1 more',
    ])
  })
})

describe('formatFindings', () => {
  test('lists every finding with severity, rule and frame as plain text', () => {
    const text = formatFindings(findings, 'audit.js')
    expect(text.split('\n').filter(line => line.startsWith('audit.js'))).toEqual([
      expect.stringMatching(/^audit\.js:2:1 warning .* \(floating-agent\)$/),
      expect.stringMatching(/^audit\.js:3:11 error .* \(determinism\)$/),
      expect.stringMatching(/^audit\.js:4:11 error .* \(determinism\)$/),
    ])
    expect(text).toContain('\n  > 4 | const b = Math.random()\n      |           ^')
    expect(formatFindings([], 'audit.js')).toBe('')
  })

  test('shows no control characters of the file name', () => {
    expect(formatFindings(findings, '\u001b[31m.js')).not.toContain('\u001b')
    expect(scriptInvalid(findings, '\u001b[31m.js').message).not.toContain('\u001b')
  })
})
