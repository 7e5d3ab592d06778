import { expect, test } from 'vitest'
import { failureError } from '../../src/sandbox/failure-error.ts'

const LIMITS = { scriptCpuMs: 30_000, scriptMemoryMiB: 128 }

test.each([
  [{ kind: 'timeout' }, 'script-timeout', /30000 ms .* without waiting for anything\.$/],
  [{ kind: 'timeout', place: 'workflow.js:4:2' }, 'script-timeout', /last seen at workflow\.js:4:2/],
  [{ kind: 'stuck' }, 'script-timeout', /one built-in/],
  [{ kind: 'memory' }, 'script-memory', /128 MiB/],
  [{ kind: 'unopened' }, 'sandbox-crashed', /did not start/],
  [{ kind: 'crash', message: 'RuntimeError: unreachable' }, 'sandbox-crashed', /unreachable/],
  [{ kind: 'crash' }, 'sandbox-crashed', /no reason/],
] as const)('%o says what happened and what to do', (failure, code, message) => {
  expect(failureError(failure, LIMITS)).toMatchObject({
    code,
    message: expect.stringMatching(message),
    hint: expect.any(String),
  })
})

test('the place of a timeout is in its stack for the script', () => {
  expect(failureError({ kind: 'timeout', place: 'workflow.js:4:2' }, LIMITS)).toHaveProperty(
    'scriptStack',
    'at workflow.js:4:2',
  )
})
