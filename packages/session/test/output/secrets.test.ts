import type { Settings } from '@tutti/protocol'
import { describe, expect, test } from 'vitest'
import { createScrubber } from '../../src/output/secrets.ts'

interface Given {
  env?: Record<string, string>
  settings?: Settings
}

describe('known secrets', () => {
  test.each<[string, Given, string]>([
    ['a key of the environment', { env: { ANTHROPIC_API_KEY: 'sk-ant-abc0123' } }, 'sk-ant-abc0123'],
    ['a token', { env: { CODEBUDDY_AUTH_TOKEN: 'abcd-efgh-1' } }, 'abcd-efgh-1'],
    ['a password', { env: { DB_PASSWORD: 'hunter2hunter2' } }, 'hunter2hunter2'],
    ['the password of an address', { env: { PROXY: 'http://me:s3cret%21word@proxy:80' } }, 's3cret!word'],
    [
      'a header of the environment',
      { env: { CUSTOM_HEADERS: 'x-a: b\nx-api-key: k012345678' } },
      'k012345678',
    ],
    ['a variable of the settings', { settings: { env: { MY_SECRET: 'abcdefgh12' } } }, 'abcdefgh12'],
    [
      'a variable of a backend',
      { settings: { tutti: { backends: { b: { kind: 'cli', env: { A_KEY: 'abcdefgh12' } } } } } },
      'abcdefgh12',
    ],
    [
      'a variable of a server',
      { settings: { mcpServers: { s: { command: 'x', env: { A_TOKEN: 'abcdefgh12' } } } } },
      'abcdefgh12',
    ],
    [
      'a header of a server',
      {
        settings: { mcpServers: { s: { url: 'http://x', headers: { Authorization: 'Bearer abcdefgh12' } } } },
      },
      'abcdefgh12',
    ],
  ])('%s is taken out', (_name, { env = {}, settings = {} }, secret) => {
    const scrub = createScrubber(env, settings)
    expect(scrub.text(`it is ${secret}!`)).toBe('it is [redacted]!')
    expect(scrub.value({ [secret]: [{ text: `a ${secret} b` }, 1, null] })).toEqual({
      '[redacted]': [{ text: 'a [redacted] b' }, 1, null],
    })
  })

  test.each<[string, string]>([
    ['MAX_THINKING_TOKENS', '31999999'],
    ['GIT_AUTHOR_NAME', 'Someone-9'],
    ['SSH_AUTH_SOCK', '/tmp/ssh-agent.1'],
    ['API_KEY', 'short'],
    ['USE_TOKEN', 'disabled'],
    ['SECRET', 'a sentence about it 1'],
    ['HOME_URL', 'https://example.com/long-path-1'],
  ])('%s is no secret', (name, value) => {
    expect(createScrubber({ [name]: value }).text(`it is ${value}`)).toBe(`it is ${value}`)
  })

  test('a secret within another one does not spare the rest', () => {
    const scrub = createScrubber({ A_KEY: 'abcdefgh1', B_KEY: 'abcdefgh1-and-more' })
    expect(scrub.text('abcdefgh1-and-more')).toBe('[redacted]')
  })

  test('what looks like a key is taken out of messages only', () => {
    const scrub = createScrubber({})
    expect(scrub.text('key_of_the_table')).toBe('key_of_the_table')
    expect(scrub.message('bad key sk-ant-api03-abc')).toBe('bad key [redacted]')
  })

  test('without secrets a value is given back as it is', () => {
    const value = { a: ['b'] }
    expect(createScrubber({}).value(value)).toBe(value)
  })
})
