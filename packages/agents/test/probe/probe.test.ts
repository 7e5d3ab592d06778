import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { probeBackends, probeGit, type BackendReport } from '../../src/probe/index.ts'
import { createRepository, GIT_ENV } from '../worktree/repository.ts'

let folder: string

beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tutti-probe-'))))
afterEach(() => rmSync(folder, { recursive: true }))

function install(name: string, script: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, name), 0o755)
}

async function probe(name: string, more: object = {}, settings = {}): Promise<BackendReport | undefined> {
  const env = { PATH: folder, ...more }
  return (await probeBackends({ env, projectRoot: folder, settings })).find(one => one.name === name)
}

test('the model needs a key, which is named and not shown', async () => {
  expect(await probe('model')).toMatchObject({
    usable: false,
    note: expect.stringContaining('ANTHROPIC_API_KEY'),
  })
  const env = { OPENAI_API_KEY: 'the-key-itself', OPENAI_BASE_URL: 'http://user:pass@host:1/v1' }
  const report = await probe('model', env)
  expect(report).toMatchObject({ usable: true, keys: ['OPENAI_API_KEY'], note: 'at http://host:1/v1' })
  expect(JSON.stringify(report)).not.toMatch(/the-key-itself|pass/)
})

test('a product is there when its command tells its version', async () => {
  install('codex', 'echo codex-cli 1.2.3')
  install('claude', 'exit 1')
  expect(await probe('cli:codex', { OPENAI_API_KEY: 'x' })).toMatchObject({
    usable: true,
    version: 'codex-cli 1.2.3',
    keys: ['OPENAI_API_KEY'],
    command: join(folder, 'codex'),
  })
  expect(await probe('cli:claude')).toMatchObject({ usable: false, note: expect.stringContaining('version') })
  expect(await probe('cli:gemini')).toMatchObject({ usable: false, note: 'no command "gemini" on the PATH' })
})

test('backends of the settings are looked at, too', async () => {
  install('mine', 'echo should not run > "$0.ran"')
  const backends = {
    local: { kind: 'model', env: { OPENAI_API_KEY: 'x' } },
    mine: { kind: 'cli', command: 'mine' },
    lost: { kind: 'acp', command: 'lost' },
  }
  const settings = { tutti: { backends } }
  expect(await probe('local', {}, settings)).toMatchObject({ usable: true, kind: 'model' })
  expect(await probe('mine', {}, settings)).toMatchObject({ usable: true })
  expect(await probe('lost', {}, settings)).toMatchObject({ usable: false })
})

test('folders of the PATH that are not absolute are no place for commands', async () => {
  install('codex', 'echo 1')
  expect(await probe('cli:codex', { PATH: '.' })).toMatchObject({ usable: false })
})

test('git tells whether agents can have worktrees', async () => {
  using repository = createRepository()
  expect(await probeGit(repository.root, GIT_ENV)).toMatchObject({
    usable: true,
    version: expect.any(String),
  })
  expect(await probeGit(folder, GIT_ENV)).toMatchObject({
    usable: false,
    note: expect.stringContaining('git init'),
  })
  expect(await probeGit(folder, { PATH: folder })).toMatchObject({
    usable: false,
    note: expect.stringContaining('git'),
  })
})
