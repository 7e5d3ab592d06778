import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createScriptedExecutor, type ScriptedTable } from '@tutti/runtime/testing'
import { trackGroups, type BackendSubject, type ConformanceCase } from '../../src/conformance/index.ts'
import { createShellBackend } from '../../src/shell/index.ts'
import { createSimulateBackend } from '../../src/simulate/index.ts'
import { NO_ENDPOINT, reasons } from './reasons.ts'

export const simulate: BackendSubject = {
  cannot: {
    ...NO_ENDPOINT,
    ...reasons(
      ['schema wrong then right', 'schema never right', 'schema never called'],
      'its objects are made from the schema',
    ),
    ...reasons(['tool error', 'permission denied'], 'it uses no tools'),
    ...reasons(['crash', 'garbage'], 'nothing runs that could fail'),
  },
  set: async wanted => ({
    backend: createSimulateBackend({ speed: wanted === 'hang' ? 1e-6 : Infinity }),
    prompt: 'Do it.',
    [Symbol.asyncDispose]: async () => {},
  }),
}

const COMMANDS: Partial<Record<ConformanceCase, string>> = {
  'schema ok': 'echo \'{"n":1}\'',
  'schema never right': 'echo \'{"n":"1"}\'',
  'permission denied': 'touch forbidden',
  hang: 'echo working; sleep 300 & sleep 300',
  crash: 'kill -9 $$',
  garbage: "printf '\\377\\000{'",
}

export const shell: BackendSubject = {
  cannot: {
    ...NO_ENDPOINT,
    'schema wrong then right': 'a command runs once: there is nobody to correct it',
    'tool error': 'the command is all there is; that it fails is command_failed',
  },
  async set(wanted) {
    const root = mkdtempSync(join(tmpdir(), 'tutti-shell-'))
    const groups = trackGroups()
    const allowShell = wanted !== 'permission denied'
    return {
      backend: createShellBackend({ projectRoot: root, env: process.env, groups, allowShell }),
      prompt: COMMANDS[wanted] ?? 'echo hello',
      call: wanted === 'garbage' ? { schema: { type: 'object' } } : {},
      wrote: () => existsSync(join(root, 'forbidden')),
      leftBehind: groups.leftBehind,
      [Symbol.asyncDispose]: async () => rmSync(root, { recursive: true, force: true }),
    }
  },
}

const BEHAVIOURS: Partial<Record<ConformanceCase, ScriptedTable[string]>> = {
  'schema ok': { ok: { n: 1 } },
  'schema wrong then right': { invalid: { n: '1' }, times: 1, then: { ok: { n: 1 } } },
  'schema never right': { invalid: { n: '1' }, times: 99 },
  'schema never called': { die: 'schema_not_called' },
  hang: { hang: true },
  '429 storm': { die: 'rate_limited' },
  '529': { die: 'overloaded' },
  auth: { die: 'auth' },
  quota: { die: 'quota' },
  crash: { die: 'crashed' },
}

export const scripted: BackendSubject = {
  cannot: {
    ...reasons(['tool error', 'permission denied'], 'it uses no tools'),
    garbage: 'a table that cannot be read is refused before anything runs',
  },
  set: async wanted => ({
    backend: createScriptedExecutor({ '*': BEHAVIOURS[wanted] ?? { ok: 'hello' } }),
    prompt: 'Do it.',
    [Symbol.asyncDispose]: async () => {},
  }),
}
