import { expect, test } from 'vitest'
import { withoutSecrets } from '../../src/shell/environment.ts'

test('what is named like a secret, or carries a password, is left out', () => {
  const secrets = {
    ANTHROPIC_API_KEY: 'a',
    ANTHROPIC_AUTH_TOKEN: 'a',
    AWS_SECRET_ACCESS_KEY: 'a',
    AWS_ACCESS_KEY_ID: 'a',
    AWS_SESSION_TOKEN: 'a',
    GITHUB_TOKEN: 'a',
    GH_PAT: 'a',
    DB_PASSWORD: 'a',
    PGPASSWD: 'a',
    MY_SECRET: 'a',
    npm_config__authToken: 'a',
    SSH_PRIVATE_KEY: 'a',
    GOOGLE_APPLICATION_CREDENTIALS: 'a',
    DATABASE_URL: 'postgres://me:word@host/db',
  }
  expect(withoutSecrets(secrets)).toEqual({})
})

test('the rest stays', () => {
  const rest = {
    PATH: '/bin',
    HOME: '/root',
    LANG: 'C',
    TOKENIZERS_PARALLELISM: '1',
    URL: 'https://host/a',
    SSH_AUTH_SOCK: '/s',
  }
  expect(withoutSecrets({ ...rest, GONE: undefined })).toEqual(rest)
})
