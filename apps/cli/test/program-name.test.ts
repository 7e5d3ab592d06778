import { describe, expect, test } from 'vitest'
import { asTyped, programName } from '../src/program-name.ts'

describe('the name of the command', () => {
  test.each([
    ['/usr/local/bin/tutti', 'tutti'],
    ['/usr/local/lib/node_modules/tutti/dist/bin.js', 'tutti'],
    ['/work/tutti/apps/cli/dist/bin.js', 'node apps/cli/dist/bin.js'],
    ['/work/other/dist/bin.js', 'node /work/other/dist/bin.js'],
    ["/work/tutti/it's here/bin.js", `node 'it'\\''s here/bin.js'`],
    [undefined, 'tutti'],
  ])('started from %s is %s', (file, name) => {
    expect(programName(file, '/work/tutti')).toBe(name)
  })

  test('replaces the word in what is told, and only there', () => {
    const text = 'To go on: tutti resume wf_1. Settings of tutti live in .tutti run; see: tutti --help'
    expect(asTyped(text, 'node x.js')).toBe(
      'To go on: node x.js resume wf_1. Settings of tutti live in .tutti run; see: node x.js --help',
    )
    expect(asTyped(text, 'tutti')).toBe(text)
  })
})
