import { expect, test } from 'vitest'
import { startsSession } from '../../src/session/starts-session.ts'

test.each([
  [['-p', 'hi']],
  [['--print']],
  [['--input-format=stream-json', '--output-format=stream-json']],
  [['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json']],
  [['--new-flag', '--input-format', 'stream-json']],
  [['--no-color', '-p', 'hi']],
  [['fix the build', '-p']],
  [['--model', 'opus', 'run', 'x.js']],
  [['-p', '--help']],
])('%j is a session', argv => {
  expect(startsSession(argv)).toBe(true)
})

test.each([
  [[]],
  [['--help']],
  [['--version']],
  [['--no-color']],
  [['--color', 'run', 'x.js', '--model', 'opus']],
  [['run', 'x.js', '--model', 'opus']],
  [['run', 'x.js', '-p']],
  [['rnu', '-p']],
  [['--nonsense']],
  [['--', '-p']],
  [['some words', '--model', 'opus']],
])('%j is none', argv => {
  expect(startsSession(argv)).toBe(false)
})
