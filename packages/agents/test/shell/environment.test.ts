import { expect, test } from 'vitest'
import { secretHider, withoutSecrets } from '../../src/shell/environment.ts'

test.each([
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'ANTHROPIC_CUSTOM_HEADERS',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_ACCESS_KEY_ID',
  'AWS_SESSION_TOKEN',
  'GITHUB_TOKEN',
  'GH_PAT',
  'DB_PASSWORD',
  'DB_PASS',
  'MYSQL_PWD',
  'PGPASSWD',
  'PGPASSWORD',
  'PGPASSFILE',
  'MY_SECRET',
  'npm_config__auth',
  'npm_config__authToken',
  'npm_config_//registry.example/:_authToken',
  'SSH_PRIVATE_KEY',
  'SSH_AUTH_SOCK',
  'XAUTHORITY',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'SVC_CREDS',
  'ALIYUN_SK',
  'SESSION_ID',
  'MY_SESSION',
  'HTTP_AUTHORIZATION',
  'BASIC_AUTH',
  'REGISTRY_AUTH_FILE',
  'JAR_COOKIE',
  'RAILS_MASTER_KEY',
  'PRIVATE_STUFF',
  'SIGNING_CERT',
])('%s is left out for its name', name => {
  expect(withoutSecrets({ [name]: 'a' })).toEqual({})
})

test.each([
  'postgres://me:word@host/db',
  'redis://:word@host',
  'sk-ant-api03-abcdef',
  'sk_live_abcdef',
  'ghp_abcdef0123',
  'github_pat_11ABC_def',
  'https://ghp_abcdef0123@github.com/a/b',
  'xoxb-1234-abcd',
  'AKIAIOSFODNN7EXAMPLE',
  'a=1;token=sk-abcdef123',
  '-----BEGIN RSA PRIVATE KEY-----\nMII',
  '-----BEGIN OPENSSH PRIVATE KEY-----',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.sig',
  'Bearer abc',
])('%s is left out for its value', value => {
  expect(withoutSecrets({ PLAIN: value })).toEqual({})
})

test('the rest stays', () => {
  const rest = {
    PATH: '/bin:/home/sk-developer/bin:/opt/ghp_tools_x/bin',
    HOME: '/root',
    LANG: 'sk_SK.UTF-8',
    LANGUAGE: 'sk-SK',
    CI: 'true',
    JAVA_HOME: '/usr/lib/jvm',
    GOPATH: '/root/go',
    GOPRIVATE: 'example.com/*',
    NVM_DIR: '/root/.nvm',
    npm_config_registry: 'https://registry.npmjs.org/',
    npm_config_cache: '/root/.npm',
    npm_config_user_agent: 'npm/10 node/v20',
    XDG_SESSION_ID: '2',
    XDG_SESSION_TYPE: 'wayland',
    DESKTOP_SESSION: 'gnome',
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1000/bus',
    GIT_AUTHOR_NAME: 'A',
    npm_package_author: 'A',
    TOKENIZERS_PARALLELISM: '1',
    OLDPWD: '/',
    XKB_DEFAULT_LAYOUT: 'de',
    URL: 'https://host:80/a',
    GIT_URL: 'ssh://git@host/a',
    NODE_OPTIONS: '--max-old-space-size=4096',
  }
  expect(withoutSecrets({ ...rest, GONE: undefined })).toEqual(rest)
})

test('of a secret that begins with another one nothing is left in a text', () => {
  const hide = secretHider({ A_TOKEN: 'secret-0123456789', B_TOKEN: 'secret-0123456789-and-more' })
  expect(hide('x secret-0123456789-and-more secret-0123456789')).toBe('x [redacted] [redacted]')
})
