import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { arityOf, flagNamed, IGNORED_FLAGS, SESSION_FLAGS } from '../../src/session/flag-table.ts'
import { parseFlags } from '../../src/session/parse-flags.ts'

const given = (...argv: string[]): object => Object.fromEntries(parseFlags(argv).given)

describe('the table', () => {
  it('has each flag once, under its name and its other names', () => {
    expect(new Set(SESSION_FLAGS).size).toBe(SESSION_FLAGS.length)
    expect(SESSION_FLAGS.map(flagNamed)).toEqual(SESSION_FLAGS)
    expect(flagNamed('p')).toBe('print')
    expect(flagNamed('allowed-tools')).toBe('allowedTools')
    expect(flagNamed('constructor')).toBeUndefined()
    expect(SESSION_FLAGS).toEqual(expect.arrayContaining([...IGNORED_FLAGS]))
  })
})

describe('one flag', () => {
  it('takes its value from the next word or from behind the equals sign', () => {
    expect(given('--model', 'opus')).toEqual({ model: ['opus'] })
    expect(given('--model=opus')).toEqual({ model: ['opus'] })
    expect(given('--settings={"a":"b=c"}')).toEqual({ settings: ['{"a":"b=c"}'] })
  })

  it('may have an empty value', () => {
    expect(given('--tools', '', '--setting-sources=')).toEqual({ tools: [''], 'setting-sources': [''] })
  })

  it('takes a value that begins with a dash', () => {
    expect(given('--system-prompt', '- be kind', '-p')).toEqual({
      'system-prompt': ['- be kind'],
      print: [undefined],
    })
  })

  it('without the value it needs is refused', () => {
    expect(() => parseFlags(['--model'])).toThrow('--model needs a value')
    expect(() => parseFlags(['--allowedTools', '--verbose'])).toThrow('--allowedTools needs a value')
  })

  it('may do without where the value is optional', () => {
    expect(given('--resume', '--verbose')).toEqual({ resume: [undefined], verbose: [undefined] })
    expect(given('-r', 'abc')).toEqual({ resume: ['abc'] })
  })

  it('may have many values, and be given again', () => {
    expect(
      given('--allowedTools', 'Read', 'Bash(ls:*)', '--add-dir', 'a', '--add-dir=b', '--allowedTools=c'),
    ).toEqual({
      allowedTools: ['Read', 'Bash(ls:*)', 'c'],
      'add-dir': ['a', 'b'],
    })
  })

  it('may be short, alone or with others', () => {
    expect(given('-p', '-c')).toEqual({ print: [undefined], continue: [undefined] })
    expect(given('-pc')).toEqual({ print: [undefined], continue: [undefined] })
    expect(parseFlags(['-pr'])).toMatchObject({ unknown: ['-pr'] })
    expect(parseFlags(['--p'])).toMatchObject({ unknown: ['--p'] })
  })
})

describe('words', () => {
  it('are what belongs to no flag, and all behind two dashes', () => {
    expect(parseFlags(['-p', 'fix', 'it', '--verbose', '--', '--model', 'x']).words).toEqual([
      'fix',
      'it',
      '--model',
      'x',
    ])
    expect(parseFlags(['-p', '-']).words).toEqual(['-'])
  })
})

describe('an unknown flag', () => {
  it('is told without its value, and takes the next word with it', () => {
    expect(parseFlags(['-p', 'hi', '--new', 'secret', '--newer=secret', '--newest'])).toMatchObject({
      words: ['hi'],
      unknown: ['--new', '--newer', '--newest'],
    })
  })

  it('does not take the only word there is', () => {
    expect(parseFlags(['-p', '--new', 'hi'])).toMatchObject({ words: ['hi'], unknown: ['--new'] })
  })
})

const value = fc.string()
const word = value.filter(text => !text.startsWith('-'))
const one = fc.constantFrom(...SESSION_FLAGS.filter(name => arityOf(name) === 'one'))
const many = fc.constantFrom(...SESSION_FLAGS.filter(name => arityOf(name) === 'many'))

test.prop([one, value])('any value arrives unchanged in both ways of writing', (name, text) => {
  expect(given(`--${name}`, text)).toEqual({ [name]: [text] })
  expect(given(`--${name}=${text}`)).toEqual({ [name]: [text] })
})

test.prop([many, fc.array(word, { minLength: 1 })])('any list arrives unchanged', (name, texts) => {
  expect(given(`--${name}`, ...texts, '--verbose')).toEqual({ [name]: texts, verbose: [undefined] })
  expect(given(...texts.map(text => `--${name}=${text}`))).toEqual({ [name]: texts })
})

test.prop([
  fc.array(
    fc.oneof(
      value,
      one.map(name => `--${name}`),
      many.map(name => `--${name}`),
    ),
  ),
])('whatever is written is parsed or refused for a missing value, and no word is invented', argv => {
  try {
    const { words, given: flags } = parseFlags(argv)
    for (const text of words) expect(argv).toContain(text)
    for (const name of flags.keys()) expect(SESSION_FLAGS).toContain(name)
  } catch (error) {
    expect((error as Error).message).toMatch(/ needs a value$/)
  }
})
