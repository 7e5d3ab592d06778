import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkFrames, problemText } from '@tutti-internal/frame-check'
import { startMockModel, type MockReply, type MockRequest } from '@tutti-internal/mock-model'
import { descendants, isAlive, programOf } from './descendants.ts'
import { SessionProcess } from './session-process.ts'

export interface InterruptSample {
  /** From the request to its receipt. */
  receiptMs: number
  /** To the notification. */
  notifiedMs: number
  /** To the snapshot in which every row has ended. */
  rowsMs: number
  /** To the end of the last process that an agent had started. */
  processesMs: number
}

const AGENTS = 16
const SCRIPT = `export const meta = { name: 'busy', description: 'Keeps many busy' }
return await parallel(Array.from({ length: ${AGENTS} }, (_, n) => () => agent('Work on ' + n, { label: 'n' + n })))
`
const SLEEP: MockReply = {
  toolCalls: [{ name: 'Bash', input: { command: 'sleep 600 & sleep 600', description: 'Waits' } }],
}

interface Row {
  type: string
  state: string
}

/** Interrupts agents of which half wait for the model and half for a command. Throws when something is left. */
export async function interrupted(folder: string): Promise<InterruptSample> {
  await mkdir(join(folder, '.claude/workflows'), { recursive: true })
  await writeFile(join(folder, '.claude/workflows/busy.js'), SCRIPT)
  let asked = 0
  const replies = ({ body }: MockRequest): MockReply => {
    if (!JSON.stringify(body['messages']).includes('Work on')) return { text: 'It was stopped.' }
    asked += 1
    return asked % 2 === 0 ? SLEEP : { text: 'thinking', hangAfter: 2 }
  }
  await using model = await startMockModel({ replies })
  await using session = new SessionProcess({ folder, modelUrl: model.url })
  session.say('/busy')
  const pid = session.child.pid ?? 0
  // The session keeps a guard of its own, which ends with it.
  const sleepers = await until(() => {
    const found = descendants(pid).filter(one => programOf(one) === 'sleep')
    return asked === AGENTS && found.length === AGENTS ? found : undefined
  }, 'all agents at work')
  const everything = descendants(pid)
  const sentAt = session.request('stop', 'interrupt')
  const left = (async () => {
    await until(() => sleepers.every(one => !isAlive(one)) || undefined, 'the end of the processes')
    return performance.now() - sentAt
  })()
  const receipt = await session.line('the receipt', ({ type }) => type === 'control_response')
  const notified = await session.line('the end', ({ subtype }) => subtype === 'task_notification')
  const rows = await session.line('the last rows', frame => {
    const shown = ((frame['workflow_progress'] ?? []) as Row[]).filter(
      ({ type }) => type === 'workflow_agent',
    )
    return shown.length === AGENTS && shown.every(({ state }) => state === 'error')
  })
  const processesMs = await left
  await session.end()
  await until(() => everything.every(one => !isAlive(one)) || undefined, 'the end of every process')
  const problems = problemText(checkFrames(session.lines()))
  if (problems !== '') throw new Error(`the recording breaks rules\n${problems}`)
  return {
    receiptMs: receipt.at - sentAt,
    notifiedMs: notified.at - sentAt,
    rowsMs: rows.at - sentAt,
    processesMs,
  }
}

async function until<T>(find: () => T | undefined, what: string): Promise<T> {
  const end = Date.now() + 60_000
  for (;;) {
    const found = find()
    if (found !== undefined) return found
    if (Date.now() > end) throw new Error(`${what} was not seen within 60 s`)
    await sleep(10)
  }
}
