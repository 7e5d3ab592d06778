import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { startMockModel } from '@tutti-internal/mock-model'
import { SessionProcess } from './session-process.ts'

export interface StartSample {
  /** A node process that does nothing. */
  bareMs: number
  /** From the start of the process to `system/init`, its prompt waiting. */
  initMs: number
  /** From a first `initialize` to its answer, of a process that waits for it. */
  initializeMs: number
}

/** Long enough for a process to have read everything it needs and to wait for its host. */
const SETTLED_MS = 1_500

export async function firstWords(folder: string): Promise<StartSample> {
  await using model = await startMockModel({ replies: () => ({ text: 'Hello.' }) })
  const bareMs = await bareNode(folder)
  const initMs = await toInit(folder, model.url)
  const initializeMs = await toAnswer(folder, model.url)
  return { bareMs, initMs, initializeMs }
}

async function bareNode(cwd: string): Promise<number> {
  const startedAt = performance.now()
  await once(spawn(process.execPath, ['-e', '0'], { cwd, stdio: 'ignore' }), 'close')
  return performance.now() - startedAt
}

async function toInit(folder: string, modelUrl: string): Promise<number> {
  await using session = new SessionProcess({ folder, modelUrl })
  session.say('Hello')
  const init = await session.line('init', ({ subtype }) => subtype === 'init')
  await session.line('the result', ({ type }) => type === 'result')
  await session.end()
  return init.at - session.startedAt
}

async function toAnswer(folder: string, modelUrl: string): Promise<number> {
  await using session = new SessionProcess({ folder, modelUrl })
  await sleep(SETTLED_MS)
  const sentAt = session.request('first', 'initialize')
  const answer = await session.line('the answer', ({ type }) => type === 'control_response')
  await session.end()
  return answer.at - sentAt
}
