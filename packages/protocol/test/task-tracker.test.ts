import { test } from '@fast-check/vitest'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyFrame } from '../src/task-fold.ts'
import { emptyTrackerState, LATE_PROGRESS_MS, type TaskState, type TrackerState } from '../src/task-state.ts'
import { TaskTracker } from '../src/task-tracker.ts'
import { lines } from './fixtures.ts'

const id = 'w4k9z0q2m'
const whole = lines('1.0.0/accepted/out-frame.codebuddy.jsonl')

function system(subtype: string, fields: object = {}): object {
  return { type: 'system', subtype, task_id: id, uuid: 'u', session_id: 's', ...fields }
}

const started = system('task_started', {
  task_type: 'local_workflow',
  workflow_name: 'audit',
  description: 'Audit',
})
const usage = { total_tokens: 7, tool_uses: 1, duration_ms: 90 }
const killed = system('task_updated', { patch: { status: 'killed', end_time: 1000 } })
const stopped = system('task_notification', {
  status: 'stopped',
  summary: 'It was stopped',
  output_file: '/o',
  usage,
})

function progress(label: string, state = 'start'): object {
  const row = { type: 'workflow_agent', index: 1, agentId: 'v2:1', label, state }
  return system('task_progress', { description: 'Audit', usage, workflow_progress: [row] })
}

function fold(frames: readonly unknown[], now?: number): TrackerState {
  return frames.reduce<TrackerState>((state, frame) => applyFrame(state, frame, now), emptyTrackerState())
}

function task(frames: readonly unknown[], now?: number): TaskState {
  return fold(frames, now).tasks.get(id)!
}

describe('the state of a task', () => {
  it('follows a whole recording', () => {
    const state = fold(whole)
    expect([...state.tasks.keys()]).toEqual([id])
    expect(state.background).toEqual([])
    const { phases, agents, logs, ...rest } = state.tasks.get(id)!
    expect(rest).toMatchObject({
      status: 'completed',
      taskType: 'local_workflow',
      workflowName: 'review-changes',
      description: 'Review a change from several sides',
      usage: { total_tokens: 2040, tool_uses: 3, duration_ms: 4100 },
      endTime: 1785000004100,
      notified: true,
    })
    expect(phases.map(row => row.title)).toEqual(['Review', 'Verify'])
    expect([...agents.values()].map(row => row.state)).toEqual(['done', 'cached', 'error'])
    expect(logs.map(row => row.message)).toEqual(['1 finding confirmed'])
  })

  it('begins with its start', () => {
    expect(task([started])).toMatchObject({ status: 'running', workflowName: 'audit', notified: false })
  })

  it('begins with any frame about it', () => {
    expect(task([progress('a')])).toMatchObject({ status: 'running', description: 'Audit' })
    expect(task([killed])).toMatchObject({ status: 'killed', endTime: 1000 })
    const listed = {
      ...system('background_tasks_changed'),
      tasks: [{ task_id: id, task_type: 'Bash', description: 'ls' }],
    }
    expect(task([listed])).toMatchObject({ status: 'running', taskType: 'Bash', description: 'ls' })
    expect(fold([listed]).background).toEqual([id])
  })

  it('keeps the last snapshot when a frame has none', () => {
    const without = system('task_progress', { description: 'Audit', usage })
    expect(task([started, progress('a'), without]).agents.get(1)?.label).toBe('a')
    expect(task([progress('a'), system('task_progress', { workflow_progress: [] })]).agents.size).toBe(1)
  })

  it('replaces one snapshot by the next', () => {
    const next = system('task_progress', {
      workflow_progress: [{ type: 'workflow_agent', index: 2, agentId: 'v2:2', label: 'b', state: 'done' }],
    })
    expect([...task([progress('a'), next]).agents.keys()]).toEqual([2])
  })

  it('keeps unknown fields of rows and leaves unknown rows out', () => {
    const rows = [
      { type: 'workflow_agent', index: 1, agentId: 'x', label: 'a', state: 'pondering', mood: 'good' },
      { type: 'workflow_agent', label: 'without an index' },
      { type: 'workflow_note', index: 1 },
      null,
      7,
    ]
    const { agents, phases, logs } = task([system('task_progress', { workflow_progress: rows })])
    expect([...agents.values()]).toEqual([
      { type: 'workflow_agent', index: 1, agentId: 'x', label: 'a', state: 'start', mood: 'good' },
    ])
    expect([phases, logs]).toEqual([[], []])
  })

  it('ends with its notification, whatever was said before', () => {
    expect(task([started, stopped])).toMatchObject({
      status: 'stopped',
      notified: true,
      summary: 'It was stopped',
    })
    const completed = system('task_updated', { patch: { status: 'completed', end_time: 5 } })
    expect(task([started, completed, stopped])).toMatchObject({
      status: 'stopped',
      updatedStatus: 'completed',
    })
  })

  it('tells a paused run from a killed one', () => {
    const paused = system('task_updated', { patch: { status: 'paused' } })
    expect(task([started, paused, stopped])).toMatchObject({ status: 'stopped', updatedStatus: 'paused' })
  })

  it('hears the first notification only', () => {
    const second = system('task_notification', { status: 'completed', summary: 'No, it went well', usage })
    expect(task([stopped, second])).toMatchObject({ status: 'stopped', summary: 'It was stopped' })
  })

  it('ends with a notification whose word it does not know', () => {
    const unknown = system('task_notification', { status: 'evaporated' })
    expect(task([started, unknown])).toMatchObject({ status: 'stopped', notified: true })
    const failed = system('task_updated', { patch: { status: 'failed' } })
    expect(task([started, failed, unknown])).toMatchObject({ status: 'failed', notified: true })
  })

  it('does not run again after its end', () => {
    const running = system('task_updated', { patch: { status: 'running' } })
    expect(task([killed, running]).status).toBe('killed')
    expect(task([killed, stopped, running, started]).status).toBe('stopped')
  })

  it('takes late progress of a stopped run, and its usage from the notification', () => {
    const late = task([started, progress('a'), killed, stopped, { ...progress('a', 'error'), usage: {} }])
    expect(late.agents.get(1)?.state).toBe('error')
    expect(late).toMatchObject({ status: 'stopped', usage })
  })

  it('takes late progress for five seconds', () => {
    const ended = fold([started, progress('a'), killed, stopped], 10_000)
    const at = (now: number): string | undefined =>
      applyFrame(ended, progress('a', 'error'), now).tasks.get(id)?.agents.get(1)?.state
    expect(at(10_000 + LATE_PROGRESS_MS)).toBe('error')
    expect(at(10_001 + LATE_PROGRESS_MS)).toBe('start')
  })

  it('is not touched by anything else', () => {
    const state = fold([started])
    const others = [
      null,
      42,
      'text',
      [],
      {},
      { type: 'assistant' },
      system('compact_boundary'),
      { type: 'system' },
    ]
    for (const frame of others) expect(applyFrame(state, frame)).toBe(state)
    expect(applyFrame(state, { ...system('task_updated', { patch: 7 }) })).toBe(state)
  })
})

describe('a tracker', () => {
  it('says whether a frame changed something', () => {
    const tracker = new TaskTracker()
    expect(tracker.apply(started)).toBe(true)
    expect(tracker.apply({ type: 'keep_alive' })).toBe(false)
    expect(tracker.get(id)?.workflowName).toBe('audit')
    expect(tracker.running().map(({ taskId }) => taskId)).toEqual([id])
  })

  it('forgets ended tasks when their time is over', () => {
    const tracker = new TaskTracker()
    for (const frame of [started, killed, stopped]) tracker.apply(frame, 100)
    tracker.apply({ ...started, task_id: 'w00000002' }, 100)
    expect(tracker.running().map(({ taskId }) => taskId)).toEqual(['w00000002'])
    expect(tracker.dropEnded(100 + LATE_PROGRESS_MS)).toEqual([])
    expect(tracker.dropEnded(101 + LATE_PROGRESS_MS).map(({ taskId }) => taskId)).toEqual([id])
    expect(tracker.tasks().map(({ taskId }) => taskId)).toEqual(['w00000002'])
  })
})

describe('any stream', () => {
  const recorded = fc.constantFrom(
    ...whole,
    ...lines('1.0.0/accepted/out-frame.stop.jsonl'),
    started,
    killed,
    stopped,
  )
  const mangled = fc.record(
    {
      type: fc.constant('system'),
      subtype: fc.constantFrom(
        'task_started',
        'task_progress',
        'task_updated',
        'task_notification',
        'background_tasks_changed',
      ),
      task_id: fc.oneof(fc.constantFrom(id, '__proto__', 'toString'), fc.jsonValue()),
      patch: fc.oneof(fc.record({ status: fc.jsonValue(), end_time: fc.jsonValue() }), fc.jsonValue()),
      status: fc.jsonValue(),
      usage: fc.jsonValue(),
      workflow_progress: fc.oneof(
        fc.array(fc.record({ type: fc.constant('workflow_agent'), index: fc.jsonValue() })),
        fc.jsonValue(),
      ),
      tasks: fc.oneof(fc.array(fc.record({ task_id: fc.jsonValue() })), fc.jsonValue()),
    },
    { requiredKeys: ['type', 'subtype'] },
  )
  const stream = fc.array(fc.tuple(fc.oneof(recorded, mangled, fc.jsonValue()), fc.nat(20_000)))

  test.prop([stream])('folds without a throw, always to the same state', frames => {
    const run = (): TrackerState =>
      frames.reduce<TrackerState>((state, [frame, now]) => applyFrame(state, frame, now), emptyTrackerState())
    expect(run()).toEqual(run())
  })

  test.prop([stream])('never takes an end back', frames => {
    let state = emptyTrackerState()
    for (const [frame, now] of frames) {
      const ended = [...state.tasks.values()].filter(({ notified }) => notified)
      state = applyFrame(state, frame, now)
      for (const { taskId, status } of ended)
        expect(state.tasks.get(taskId)).toMatchObject({ status, notified: true })
    }
  })

  test.prop([fc.array(recorded)])('a frame said twice in a row says nothing new', frames => {
    const doubled = frames.flatMap(frame => [frame, frame])
    expect(fold(doubled)).toEqual(fold(frames))
  })
})
