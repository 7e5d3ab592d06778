import { expect, test } from 'vitest'
import { nearName } from '../../src/command-line/near-name.ts'

const NAMES = ['run', 'resume', 'fork', 'show', 'stop', 'completion']

test.each([
  ['shwo', 'show'],
  ['res', 'resume'],
  ['Resme', 'resume'],
  ['forkk', 'fork'],
  ['compeltoin', 'completion'],
])('%s probably is %s', (given, name) => {
  expect(nearName(given, NAMES)).toBe(name)
})

test.each(['frob', 'list', 'x', 'start'])('%s is near to nothing', given => {
  expect(nearName(given, NAMES)).toBeUndefined()
})
