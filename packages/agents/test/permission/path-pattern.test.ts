import { homedir } from 'node:os'
import { expect, test } from 'vitest'
import { pathMatcher } from '../../src/permission/path-pattern.ts'

test.each([
  ['.env', '/p/.env', true],
  ['.env', '/p/deep/er/.env', true],
  ['.env', '/p/.env.local', false],
  ['*.pem', '/p/keys/a.pem', true],
  ['secrets', '/p/x/secrets/a/b', true],
  ['secrets/', '/p/secrets/a', true],
  ['secrets/**', '/p/secrets', true],
  ['secrets/**', '/p/other/secrets/a', false],
  ['src/**/*.ts', '/p/src/a.ts', true],
  ['src/**/*.ts', '/p/src/x/y/a.ts', true],
  ['src/**/*.ts', '/p/src/x/y/a.js', false],
  ['src/?.ts', '/p/src/ab.ts', false],
  ['/src', '/p/src/a', true],
  ['/src', '/p/x/src/a', false],
  ['./src', '/p/src/a', true],
  ['**', '/p/a', true],
  ['**', '/q/a', false],
  ['//etc/**', '/etc/passwd', true],
  ['~/.ssh/**', `${homedir()}/.ssh/id`, true],
  ['a*a*a*a*a*a*a*a*b', `/p/${'a'.repeat(5000)}`, false],
])('%s on %s: %s', (pattern, path, matches) => {
  expect(pathMatcher(pattern, '/p')(path)).toBe(matches)
})
