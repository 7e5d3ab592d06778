import type { AgentRow, TaskFrame } from '@tutti/protocol'
import { createSeededRandom } from '@tutti/runtime/testing'
import { describe, expect, test } from 'vitest'
import { createBackgroundTasks } from '../src/background-tasks.ts'
import { launchResult, launchText } from '../src/launch-result.ts'
import { notificationText } from '../src/notification-text.ts'
import { agentEvent, createFakeHandle, fakeRecord, LOCATIONS } from './support/fake-handle.ts'
import { watchStream } from './support/watch-stream.ts'

const ESCAPE = String.fromCharCode(0x1b)
const NASTY = `a${ESCAPE}[31mb\u202ec\u0007d\u2066`
const LONG = `${NASTY}${'x'.repeat(5000)}`
const UNFIT = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u

async function framesOf(dialect: 'codebuddy' | 'claude-code'): Promise<TaskFrame[]> {
  const handle = createFakeHandle({ workflowName: LONG, description: LONG })
  const { clock, frames, done } = watchStream({ handle, dialect })
  handle.emit(
    { type: 'phase', row: { type: 'workflow_phase', index: 1, title: LONG } },
    agentEvent(1, { phaseIndex: 1, phaseTitle: LONG, state: 'done' }),
  )
  handle.finish({ workflowName: LONG })
  await clock.advance(0)
  await done
  return frames
}

describe.each(['codebuddy', 'claude-code'] as const)('frames in the dialect %s', dialect => {
  test('carry no control characters, and names and descriptions are bounded', async () => {
    const frames = await framesOf(dialect)
    expect(frames.map(frame => frame.subtype)).toContain('background_tasks_changed')
    for (const frame of frames) {
      for (const text of texts(frame)) expect(text).not.toMatch(UNFIT)
      if (frame.subtype === 'task_started') {
        expect(frame.workflow_name).toHaveLength(120)
        expect(frame.description).toHaveLength(1000)
      }
      if (frame.subtype === 'task_progress') expect(frame.description.length).toBeLessThanOrEqual(1000)
      if (frame.subtype === 'background_tasks_changed')
        expect(frame.tasks.every(({ description }) => description.length === 1000)).toBe(true)
      if (frame.subtype === 'task_notification') expect(frame.summary.length).toBeLessThan(200)
    }
  })

  test('call a phase the same in its row and in those of its agents', async () => {
    const rows = (await framesOf(dialect)).flatMap(frame =>
      frame.subtype === 'task_progress' ? (frame.workflow_progress ?? []) : [],
    )
    const phase = rows.find(row => row.type === 'workflow_phase')
    const agent = rows.find((row): row is AgentRow => row.type === 'workflow_agent')
    expect(phase?.title).toHaveLength(120)
    expect(agent?.phaseTitle).toBe(phase?.title)
  })
})

test('an agent without a phase gets none', async () => {
  const { handle, clock, frames, done } = watchStream()
  handle.emit(agentEvent(1, { state: 'done' }))
  handle.finish()
  await clock.advance(0)
  await done
  const [frame] = frames.filter(({ subtype }) => subtype === 'task_progress')
  expect(JSON.stringify(frame)).not.toContain('phaseTitle')
})

test('tasks of other kinds are announced with a description that is fit to show', () => {
  const descriptions: string[] = []
  const tasks = createBackgroundTasks({
    sessionId: 's',
    random: createSeededRandom(1),
    write: frame => void descriptions.push(...frame.tasks.map(({ description }) => description)),
  })
  tasks.add({ task_id: 'b1', task_type: 'local_bash', description: NASTY })
  expect(descriptions).toEqual(['abcd'])
})

test('the result of a launch is fit to show, and its text keeps one line per field', () => {
  const output = launchResult(createFakeHandle({ workflowName: LONG, description: `Audit\nRun ID: ${LONG}` }))
  expect([output.workflowName.length, output.summary?.length]).toEqual([120, 1000])
  for (const text of texts(output)) expect(text).not.toMatch(UNFIT)
  const lines = launchText(output).split('\n')
  expect(lines.filter(line => line.startsWith('Run ID:'))).toEqual(['Run ID: wf_00000001-abc'])
})

test('the summary of a notification is fit to show', () => {
  const text = notificationText({
    record: fakeRecord({ status: 'completed', workflowName: LONG }),
    outputFile: LOCATIONS.output,
  })
  expect(text).not.toMatch(UNFIT)
  expect(text).toContain('Workflow "abcdxxx')
  expect(text.length).toBeLessThan(1000)
})

function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : []
}
