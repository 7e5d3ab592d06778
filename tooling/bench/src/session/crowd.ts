import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkFrames, problemText } from '@tutti-internal/frame-check'
import { startMockModel, type MockReply, type MockRequest } from '@tutti-internal/mock-model'
import { SessionProcess } from './session-process.ts'

export interface CrowdSample {
  ms: number
  stdoutMiB: number
  peakMiB: number
}

const SCRIPT = (agents: number): string => `export const meta = { name: 'crowd', description: 'Asks many' }
return (await parallel(Array.from({ length: ${agents} }, (_, n) => () => agent('Work on ' + n, { label: 'n' + n })))).length
`
const ANSWER: MockReply = { text: 'x'.repeat(400), usage: { input: 200, output: 100 } }
const NAP_MS = 250

/**
 * A workflow of so many agents over stdio, to a reader that sleeps most of the time. Throws unless every frame
 * that must arrive has arrived, in order.
 */
export async function crowd(folder: string, agents: number): Promise<CrowdSample> {
  await mkdir(join(folder, '.claude/workflows'), { recursive: true })
  await writeFile(join(folder, '.claude/workflows/crowd.js'), SCRIPT(agents))
  let asked = 0
  const replies = ({ body }: MockRequest): MockReply => {
    if (JSON.stringify(body['messages']).includes('Work on')) asked += 1
    return ANSWER
  }
  await using model = await startMockModel({ replies })
  await using session = new SessionProcess({ folder, modelUrl: model.url, reading: false })
  session.say('/crowd')
  const given = Date.now() + 300_000
  while (asked < agents) {
    await sleep(NAP_MS)
    if (!session.readSome()) throw new Error('the session has ended early')
    if (Date.now() > given) throw new Error(`only ${asked} of ${agents} agents were asked in time`)
  }
  session.readOn()
  let turns = 0
  await session.line('the turn about it', ({ type }) => type === 'result' && ++turns === 2)
  const ms = performance.now() - session.startedAt
  await session.end()
  const problems = problemText(checkFrames(session.lines()))
  if (problems !== '') throw new Error(`the recording breaks rules\n${problems.slice(0, 4_000)}`)
  return { ms, stdoutMiB: session.bytes / 2 ** 20, peakMiB: session.peakMiB }
}
