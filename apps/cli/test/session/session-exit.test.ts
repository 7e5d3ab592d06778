import type { ResultFrame } from '@tutti/protocol'
import type { RunEnd } from '@tutti/runtime'
import type { SessionEnd } from '@tutti/session'
import { expect, test } from 'vitest'
import { exitCodeOfSession } from '../../src/session/session-exit.ts'
import { runEnd } from '../support/runs.ts'

const result = (isError: boolean): ResultFrame => ({ is_error: isError }) as ResultFrame

function end(workflows: RunEnd[], changes: Partial<SessionEnd> = {}): SessionEnd {
  return { reason: 'ended', exitCode: 0, lastResult: result(false), workflows, ...changes }
}

test('an answer is success, an error or none is a failure', () => {
  expect(exitCodeOfSession(end([]))).toBe(0)
  expect(exitCodeOfSession(end([], { lastResult: result(true) }))).toBe(1)
  expect(exitCodeOfSession(end([], { lastResult: undefined }))).toBe(1)
})

test('a signal says its own code', () => {
  expect(exitCodeOfSession(end([], { reason: 'signal', exitCode: 143 }))).toBe(143)
})

test('of workflows the worst last attempt counts', () => {
  const failed = runEnd({ status: 'failed' })
  const paused = runEnd({ status: 'paused', runId: 'wf_00000002-abc' })
  const degraded = runEnd({ degraded: true, runId: 'wf_00000003-abc' })
  expect(exitCodeOfSession(end([degraded, paused, failed]))).toBe(1)
  expect(exitCodeOfSession(end([paused, degraded]))).toBe(4)
  expect(exitCodeOfSession(end([degraded]))).toBe(3)
  expect(exitCodeOfSession(end([failed, runEnd()]))).toBe(0)
  expect(exitCodeOfSession(end([runEnd({ status: 'killed' })]))).toBe(1)
})
