import { describe, expect, test } from 'vitest'
import { hideSecrets } from '../../src/commands/hide-secrets.ts'

const HIDDEN = '(hidden)'

test('every value below env and headers is hidden, at any depth', () => {
  const settings = {
    env: { A: 'x', 'B.c': 'y' },
    tutti: { backends: { mine: { kind: 'model', env: { A: 'x' } } } },
    mcpServers: { it: { url: 'https://host/a', headers: { 'X-It': 'x' }, list: [{ env: ['A=x'] }] } },
  }
  expect(hideSecrets(settings)).toEqual({
    env: { A: HIDDEN, 'B.c': HIDDEN },
    tutti: { backends: { mine: { kind: 'model', env: { A: HIDDEN } } } },
    mcpServers: { it: { url: 'https://host/a', headers: { 'X-It': HIDDEN }, list: [{ env: HIDDEN }] } },
  })
})

test.each([
  'apiKey',
  'apiKeyHelper',
  'access_token',
  'clientSecret',
  'password',
  'passwd',
  'auth',
  'Authorization',
  'sessionCookie',
  'credentials',
])('all below "%s" is hidden', name => {
  expect(hideSecrets({ [name]: 'x' })).toEqual({ [name]: HIDDEN })
  expect(hideSecrets({ a: { [name]: { b: ['x'], c: 1 } } })).toEqual({
    a: { [name]: { b: HIDDEN, c: HIDDEN } },
  })
})

test('other settings are shown as they are', () => {
  const settings = {
    model: 'opus',
    author: 'A',
    permissions: { allow: ['Bash(npm test:*)'], deny: ['Bash(rm:*)'] },
    tutti: { backend: 'mine', limits: { outputTokens: 1000 }, trustedProjects: ['~/work'] },
    disableWorkflows: false,
    none: null,
  }
  expect(hideSecrets(settings)).toEqual(settings)
})

describe('arguments of programs', () => {
  test.each<[string[], string[]]>([
    [
      ['--token', 'x', '--verbose'],
      ['--token', HIDDEN, '--verbose'],
    ],
    [['--api-key=x'], [`--api-key=${HIDDEN}`]],
    [
      ['--auth', '-x'],
      ['--auth', HIDDEN],
    ],
    [
      ['--use-token', '--port', '80'],
      ['--use-token', '--port', '80'],
    ],
    [
      ['-H', 'X-It: x'],
      ['-H', HIDDEN],
    ],
    [['--header=X-It: x'], [`--header=${HIDDEN}`]],
    [
      ['run', '-e', 'A=x'],
      ['run', '-e', HIDDEN],
    ],
    [['API_KEY=x'], [`API_KEY=${HIDDEN}`]],
    [['https://me:word@host/a'], [`https://${HIDDEN}@host/a`]],
    [
      ['--port', '80', '-y', 'server'],
      ['--port', '80', '-y', 'server'],
    ],
  ])('%j is shown as %j', (args, shown) => {
    expect(hideSecrets({ mcpServers: { it: { command: 'npx', args } } })).toEqual({
      mcpServers: { it: { command: 'npx', args: shown } },
    })
    expect(hideSecrets({ command: args })).toEqual({ command: shown })
  })
})

test.each([
  ['https://me:word@host/a', `https://${HIDDEN}@host/a`],
  ['curl --token abc https://host', `curl --token ${HIDDEN} https://host`],
  ['tool --password="a b" x', `tool --password=${HIDDEN} x`],
  ['send sk-abcdef123', `send ${HIDDEN}`],
  ['ghp_abcdef123', HIDDEN],
  ['Bash(curl -H "X: Bearer abcdef123")', `Bash(curl -H "X: Bearer ${HIDDEN}")`],
])('a secret within the text %s is hidden', (text, shown) => {
  expect(hideSecrets({ notify: { command: text } })).toEqual({ notify: { command: shown } })
})
