import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createBackends, createExecutor } from '../../src/index.ts'
import { openSandbox, probeSandbox, sandboxProblem } from '../../src/sandbox/index.ts'
import { play } from '../stage/stage.ts'

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tutti-sandbox-'))))
afterEach(() => rmSync(folder, { recursive: true }))

function bwrap(script: string): { PATH: string } {
  writeFileSync(join(folder, 'bwrap'), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, 'bwrap'), 0o755)
  return { PATH: folder }
}

const WORKS = 'case $1 in --version) echo bubblewrap 9.9;; esac'
const FORBIDDEN =
  'case $1 in --version) echo bubblewrap 9.9;; *) echo "No permissions to create new namespace" >&2; exit 1;; esac'

test('without settings nothing is confined, and nothing is tried', () => {
  expect(openSandbox(undefined, {})).toBeUndefined()
  expect(openSandbox({ network: false }, {})).toBeUndefined()
  expect(sandboxProblem({ mode: 'auto' }, {})).toBeUndefined()
})

test('one that works is used', () => {
  const env = bwrap(WORKS)
  expect(probeSandbox(env)).toMatchObject({ usable: true, name: 'bubblewrap', version: '9.9' })
  expect(openSandbox({ mode: 'auto' }, env)).toMatchObject({ name: 'bubblewrap' })
  expect(sandboxProblem({ mode: 'required' }, env)).toBeUndefined()
})

test.each([
  ['is missing', () => ({ PATH: folder }), 'no command "bwrap"'],
  ['may not work', () => bwrap(FORBIDDEN), 'No permissions to create new namespace'],
])('one that %s is done without, or refused where it is required', (_, environment, reason) => {
  const env = environment()
  expect(openSandbox({ mode: 'auto' }, env)).toBeUndefined()
  const refusal = expect.objectContaining({
    code: 'settings-invalid',
    message: expect.stringContaining(reason),
  })
  expect(() => openSandbox({ mode: 'required' }, env)).toThrowError(refusal)
  expect(sandboxProblem({ mode: 'required' }, env)).toContain(reason)
})

test.each(['model', 'shell'])('where one is required and missing, %s runs nothing', async name => {
  const env = { PATH: folder, ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' }
  const settings = { tutti: { sandbox: { mode: 'required' as const } } }
  const backends = createBackends({ env, projectRoot: folder, settings, allowShell: true })
  const { outcome } = await play(createExecutor({ backends, default: name }), { prompt: 'touch x' })
  expect(outcome).toMatchObject({ cause: 'backend_unavailable', message: expect.stringContaining('sandbox') })
  expect(outcome.usage.input).toBe(0)
})
