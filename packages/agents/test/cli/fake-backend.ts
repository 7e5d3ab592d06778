import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Backend } from '../../src/backend.ts'
import { createCliBackend, PLAIN, PROFILES, type CliOptions } from '../../src/cli/index.ts'

export const FAKE: string = fileURLToPath(new URL('fake/agent.mjs', import.meta.url))

/** How the fake was called. */
export interface FakeCall {
  args: string[]
  stdin: string
  cwd: string
  env: Record<string, string>
}

export interface FakeBackend extends Disposable {
  backend: Backend
  root: string
  calls(): FakeCall[]
}

/** A backend for a product whose command is a fake that does what is wished. */
export function fakeBackend(product: string, wish: string, more: Partial<CliOptions> = {}): FakeBackend {
  const root = mkdtempSync(join(tmpdir(), 'tutti-fake-'))
  const log = join(root, 'calls.jsonl')
  const backend = createCliBackend({
    profile: PROFILES[product] ?? PLAIN,
    command: FAKE,
    projectRoot: root,
    ...more,
    env: { PATH: process.env['PATH'], FAKE_PRODUCT: product, FAKE_WISH: wish, FAKE_LOG: log, ...more.env },
  })
  return {
    backend,
    root,
    calls: () =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter(line => line !== '')
        .map(line => JSON.parse(line) as FakeCall),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  }
}
