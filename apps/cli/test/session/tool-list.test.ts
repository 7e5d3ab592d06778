import { fc, test } from '@fast-check/vitest'
import { expect, it } from 'vitest'
import { toolList } from '../../src/session/tool-list.ts'

it('divides at commas and spaces, but not within parentheses', () => {
  expect(toolList(['Read,Bash(git log:*, git diff:*)', 'Edit Write', ''])).toEqual([
    'Read',
    'Bash(git log:*, git diff:*)',
    'Edit',
    'Write',
  ])
  expect(toolList(['Bash(echo (a, b)),Read'])).toEqual(['Bash(echo (a, b))', 'Read'])
})

it('lets what is never closed stay together', () => {
  expect(toolList(['Bash(ls, Read'])).toEqual(['Bash(ls, Read'])
  expect(toolList(['Read),Edit'])).toEqual(['Read)', 'Edit'])
})

const rule = fc
  .tuple(fc.stringMatching(/^[A-Za-z_]+$/), fc.option(fc.stringMatching(/^[a-z:*, /.]{1,12}$/)))
  .map(([name, pattern]) => (pattern === null ? name : `${name}(${pattern})`))

test.prop([fc.array(rule)])('rules come back from one list and from many words', rules => {
  expect(toolList([rules.join(',')])).toEqual(rules)
  expect(toolList(rules)).toEqual(rules)
})
