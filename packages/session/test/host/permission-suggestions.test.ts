import { expect, test } from 'vitest'
import { suggestionsFor } from '../../src/host/permission-suggestions.ts'

test.each([
  ['Bash', { command: ' echo a > a ' }, [{ toolName: 'Bash', ruleContent: 'echo a > a' }]],
  [
    'WebFetch',
    { url: 'https://example.org:8080/x?y' },
    [{ toolName: 'WebFetch', ruleContent: 'domain:example.org' }],
  ],
  ['mcp__lamp__on', { room: 1 }, [{ toolName: 'mcp__lamp__on' }]],
])('a use of %s may be allowed for the session, and no more than that', (tool, input, rules) => {
  expect(suggestionsFor(tool, input)).toEqual([
    { type: 'addRules', rules, behavior: 'allow', destination: 'session' },
  ])
})

test.each([
  ['a command with a star', 'Bash', { command: 'rm *.txt' }],
  ['an empty command', 'Bash', { command: ' ' }],
  ['an address that is none', 'WebFetch', { url: 'here' }],
])('%s is suggested no rule for', (_name, tool, input) => {
  expect(suggestionsFor(tool, input)).toEqual([])
})
