import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { parseCommandArgs } from '../../src/workflow/command-args.ts'
import { parseSlashCommand } from '../../src/workflow/slash-command.ts'

function argsOf(text: string): unknown {
  const parsed = parseCommandArgs(text)
  return parsed.ok ? parsed.args : parsed.message
}

describe('the args of a command', () => {
  it.each([
    ['', undefined],
    ['  \n', undefined],
    ['{"a": [1]}', { a: [1] }],
    ['42', 42],
    ['"quoted"', 'quoted'],
    ['null', null],
    ['topic=foo', { topic: 'foo' }],
    ['topic=foo depth=3 deep=true list=[1,2]', { topic: 'foo', depth: 3, deep: true, list: [1, 2] }],
    ['topic="foo bar" n=1', { topic: 'foo bar', n: 1 }],
    [`topic='it is "so"'`, { topic: 'it is "so"' }],
    ['topic="a \\" b" id="7"', { topic: 'a " b', id: '7' }],
    ['url=https://x.example/?a=b', { url: 'https://x.example/?a=b' }],
    ['empty= n=1', { empty: '', n: 1 }],
    ['topic=foo and more', 'topic=foo and more'],
    ['why is a=b here', 'why is a=b here'],
    ['https://x.example/?a=b', 'https://x.example/?a=b'],
    ['topic="not closed', 'topic="not closed'],
    ['{"a": broken', '{"a": broken'],
    ['two\nlines', 'two\nlines'],
    ['a=1\nb=2', { a: 1, b: 2 }],
    ['a=1 a=2', '"a" is given twice'],
    ['__proto__=1', '"__proto__" is not allowed as a key'],
  ])('%j are %j', (text, args) => {
    expect(argsOf(text)).toEqual(args)
  })

  test.prop([fc.string()])('are read from any text without an error', text => {
    const parsed = parseCommandArgs(text)
    if (parsed.ok && typeof parsed.args === 'string' && !text.includes('"')) {
      expect(parsed.args).toBe(text.trim())
    }
  })

  test.prop([
    fc.dictionary(fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/), fc.string({ maxLength: 20 }), { minKeys: 1 }),
  ])('come back as they were written in quotes', entries => {
    const text = Object.entries(entries)
      .map(([key, value]) => `${key}="${value.replace(/["\\]/g, '\\$&')}"`)
      .join(' ')
    expect(argsOf(text)).toEqual(entries)
  })

  it('of a long text take no long time', () => {
    const text = `a="${'\\"'.repeat(100_000)}`
    expect(argsOf(text)).toBe(text)
  })
})

describe('a slash command', () => {
  it.each([
    ['/name', { name: 'name', rest: '' }],
    ['\n /a.b-c_1 rest of it\nand more ', { name: 'a.b-c_1', rest: 'rest of it\nand more' }],
    [`/${'x'.repeat(64)}`, { name: 'x'.repeat(64), rest: '' }],
    [`/${'x'.repeat(65)}`, undefined],
    ['/path/to it', undefined],
    ['//x', undefined],
    ['x /y', undefined],
    ['/', undefined],
  ])('is read from %j', (prompt, command) => {
    expect(parseSlashCommand(prompt)).toEqual(command)
  })
})
