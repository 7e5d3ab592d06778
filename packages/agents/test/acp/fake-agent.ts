import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '@tutti/protocol'
import { createAcpBackend, type AcpOptions } from '../../src/acp/index.ts'
import type { Backend } from '../../src/backend.ts'

export const FAKE_ACP: string = fileURLToPath(new URL('fake/agent.mjs', import.meta.url))

export interface FakeAgent extends Disposable {
  backend: Backend
  root: string
  /** What it was told. */
  log(): JsonObject[]
}

/** A backend for a fake that does what is wished. */
export function fakeAgent(wish: string, more: Partial<AcpOptions> = {}): FakeAgent {
  const root = mkdtempSync(join(tmpdir(), 'tutti-acp-'))
  const file = join(root, 'log.jsonl')
  const backend = createAcpBackend({
    command: FAKE_ACP,
    projectRoot: root,
    ...more,
    env: { PATH: process.env['PATH'], FAKE_WISH: wish, FAKE_LOG: file, ...more.env },
  })
  return {
    backend,
    root,
    log: () =>
      !existsSync(file)
        ? []
        : readFileSync(file, 'utf8')
            .split('\n')
            .filter(line => line !== '')
            .map(line => JSON.parse(line) as JsonObject),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  }
}
