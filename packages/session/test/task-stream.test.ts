import type { AgentRow, TaskFrame, TaskProgressFrame } from '@tutti/protocol'
import { fc, test as propertyTest } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import type { RunEvent } from '@tutti/runtime'
import { createBackgroundTasks } from '../src/background-tasks.ts'
import { agentEvent, agentRow, createFakeHandle, LOCATIONS, statusEvent } from './support/fake-handle.ts'
import { watchStream } from './support/watch-stream.ts'

describe('a run that completes', () => {
  test('starts with task_started and ends with exactly one pair', async () => {
    const { handle, clock, done, order } = watchStream()
    handle.emit(agentEvent(1), agentEvent(1, { state: 'done', tokens: 7 }), statusEvent('completed', 1500))
    handle.finish()
    await clock.advance(0)
    await done
    expect(order()).toEqual([
      'task_started',
      'background_tasks_changed',
      'task_progress',
      'task_progress',
      'task_updated:completed',
      'task_notification:completed',
      'background_tasks_changed',
    ])
  })

  test('tells the fields of the wire', async () => {
    const { handle, clock, done, frames } = watchStream({ scriptFile: 'audit.js' })
    handle.emit(
      agentEvent(1, { state: 'done', tokens: 40, toolCalls: 2 }),
      agentEvent(2, { state: 'cached', tokens: 2 }),
      statusEvent('completed', 4000),
    )
    handle.finish({ census: { total: 2, ok: 1, cached: 1, failed: 0, stopped: 0, skipped: 0 } })
    await clock.advance(0)
    await done
    expect(frames[0]).toMatchObject({
      task_type: 'local_workflow',
      workflow_name: 'path:audit.js',
      description: 'Audit it',
      tool_use_id: 'toolu_1',
    })
    expect(frames[0]).not.toHaveProperty('prompt')
    expect(frames.find(frame => frame.subtype === 'task_updated')).toMatchObject({
      patch: { status: 'completed', end_time: 4000 },
    })
    expect(frames.find(frame => frame.subtype === 'task_notification')).toMatchObject({
      tool_use_id: 'toolu_1',
      output_file: LOCATIONS.output,
      summary: 'Workflow "audit" completed: 2 agents: 1 ok, 1 cached',
      usage: { total_tokens: 42, tool_uses: 2, duration_ms: 3000 },
    })
  })

  test('is announced only when its output file is there', async () => {
    const { handle, clock, frames, done } = watchStream()
    handle.emit(statusEvent('completed', 1200))
    await clock.advance(50)
    expect(frames.some(frame => frame.subtype === 'task_notification')).toBe(false)
    handle.finish()
    await clock.advance(0)
    await done
    expect(frames.at(-2)).toMatchObject({ subtype: 'task_notification' })
  })

  test('without agents sends no snapshot', async () => {
    const { handle, clock, done, order } = watchStream()
    handle.emit(statusEvent('completed', 1200))
    handle.finish()
    await clock.advance(0)
    await done
    expect(order()).not.toContain('task_progress')
  })

  test('is announced even when its status was never told', async () => {
    const { handle, clock, done, order } = watchStream()
    handle.finish({ status: 'failed', error: { name: 'Error', message: 'boom' } })
    await clock.advance(0)
    await done
    expect(order()).toContain('task_notification:failed')
  })
})

describe('rows', () => {
  test('come as phases, agents and logs, without the fields of the record', async () => {
    const { handle, clock, done, frames } = watchStream()
    const row = { ...agentRow(2), key: 'k', n: 1, transcriptId: 'a0000000000000001' } as AgentRow
    handle.emit(
      { type: 'log', row: { type: 'workflow_log', index: 1, message: 'hello' } },
      { type: 'agent', row },
      agentEvent(1),
      { type: 'phase', row: { type: 'workflow_phase', index: 1, title: 'Scan' } },
    )
    await clock.advance(200)
    const rows = lastSnapshot(frames).workflow_progress
    expect(rows?.map(({ type, index }) => `${type} ${index}`)).toEqual([
      'workflow_phase 1',
      'workflow_agent 1',
      'workflow_agent 2',
      'workflow_log 1',
    ])
    expect(rows?.[2]).not.toHaveProperty('key')
    expect(rows?.[2]).not.toHaveProperty('transcriptId')
    handle.emit(agentEvent(1, { state: 'done' }), agentEvent(2, { state: 'done' }))
    handle.finish()
    await clock.advance(0)
    await done
  })

  test('show the last 100 log lines only', async () => {
    const { handle, clock, done, frames } = watchStream()
    for (let index = 1; index <= 150; index++) {
      handle.emit({ type: 'log', row: { type: 'workflow_log', index, message: `line ${index}` } })
    }
    handle.finish()
    await clock.advance(0)
    await done
    const rows = lastSnapshot(frames).workflow_progress ?? []
    expect(rows).toHaveLength(100)
    expect(rows[0]).toMatchObject({ message: 'line 51' })
  })

  test('have labels without control characters', async () => {
    const { handle, clock, done, frames } = watchStream()
    handle.emit(agentEvent(1, { state: 'done', label: 'a\u001b[31mb\nc' }))
    handle.finish()
    await clock.advance(0)
    await done
    expect(lastSnapshot(frames).workflow_progress?.[0]).toMatchObject({ label: 'ab c' })
  })
})

describe('pace', () => {
  test('the first change leaves at once, a burst becomes one snapshot 100 ms later', async () => {
    const { handle, clock, frames, times } = watchStream()
    handle.emit(agentEvent(1))
    await clock.advance(0)
    expect(snapshots(frames)).toHaveLength(1)
    for (let index = 2; index <= 50; index++) handle.emit(agentEvent(index))
    await clock.advance(99)
    expect(snapshots(frames)).toHaveLength(1)
    await clock.advance(1)
    expect(snapshots(frames)).toHaveLength(2)
    expect(lastSnapshot(frames).workflow_progress).toHaveLength(50)
    expect(times.at(-1)).toBe(1100)
    await clock.advance(5000)
    expect(snapshots(frames)).toHaveLength(2)
  })

  test('stays below 512 KiB a second after the first MiB', async () => {
    const { handle, clock, frames } = watchStream()
    const preview = 'x'.repeat(400)
    for (let index = 1; index <= 400; index++) handle.emit(agentEvent(index, { promptPreview: preview }))
    const seconds = 20
    for (let tick = 0; tick < seconds * 20; tick++) {
      handle.emit(agentEvent(1 + (tick % 400), { promptPreview: preview, tokens: tick }))
      await clock.advance(50)
    }
    const sizes = snapshots(frames).map(frame => JSON.stringify(frame).length + 1)
    const bytes = sizes.reduce((sum, size) => sum + size, 0)
    expect(bytes).toBeLessThanOrEqual(1024 * 1024 + seconds * 512 * 1024 + Math.max(...sizes))
    expect(bytes).toBeGreaterThan(seconds * 400 * 1024)
  })

  test('the newest snapshot goes out before the pair, whatever the pace says', async () => {
    const { handle, clock, frames, done } = watchStream()
    handle.emit(agentEvent(1))
    await clock.advance(0)
    handle.emit(agentEvent(1, { state: 'done' }), statusEvent('completed', 1001))
    handle.finish()
    await clock.advance(0)
    await done
    expect(lastSnapshot(frames).workflow_progress?.[0]).toMatchObject({ state: 'done' })
  })
})

describe('status', () => {
  test('each change is one task_updated, with what was seen before it sent first', async () => {
    const { handle, clock, order, done } = watchStream()
    handle.emit(
      statusEvent('running', 1000, false),
      agentEvent(1, { state: 'done' }),
      statusEvent('paused', 1100, false),
      statusEvent('running', 1200, false),
      statusEvent('completed', 1300),
    )
    handle.finish()
    await clock.advance(0)
    await done
    expect(order().slice(2)).toEqual([
      'task_updated:running',
      'task_progress',
      'task_updated:paused',
      'task_updated:running',
      'task_updated:completed',
      'task_notification:completed',
      'background_tasks_changed',
    ])
  })

  test('a run that a breaker paused is told as stopped, with how to go on', async () => {
    const { handle, clock, frames, done, order } = watchStream()
    handle.emit(statusEvent('paused', 1300))
    handle.finish({ status: 'paused', pausedBy: 'quota', resetAt: Date.UTC(2026, 0, 2) })
    await clock.advance(0)
    await done
    expect(order()).toContain('task_updated:paused')
    const notification = frames.find(frame => frame.subtype === 'task_notification')
    expect(notification).toMatchObject({ status: 'stopped' })
    expect(JSON.stringify(notification)).toContain('paused (quota, until 2026-01-02T00:00:00.000Z)')
    expect(JSON.stringify(notification)).toContain('resume run wf_00000001-abc')
  })
})

describe('a stop', () => {
  test('is announced at once; the rows follow as aborted', async () => {
    const { handle, clock, frames, order, done } = watchStream()
    handle.emit(agentEvent(1), agentEvent(2))
    await clock.advance(0)
    handle.emit(statusEvent('killed', 1100))
    await clock.advance(10)
    expect(order().slice(-3)).toEqual([
      'task_updated:killed',
      'task_notification:stopped',
      'background_tasks_changed',
    ])
    handle.emit(agentEvent(1, { state: 'error', cause: 'stopped', error: 'subagent aborted: stopped' }))
    await clock.advance(200)
    handle.finish({ status: 'killed' })
    await clock.advance(0)
    await done
    expect(order().slice(-2)).toEqual(['task_progress', 'task_progress'])
    for (const row of agents(lastSnapshot(frames))) {
      expect(row.state).toBe('error')
      expect(row.error).toMatch(/^subagent aborted: /)
    }
  })

  test('in dialect claude-code waits for the agents and sends nothing after the pair', async () => {
    const { handle, clock, frames, order, done } = watchStream({ dialect: 'claude-code' })
    handle.emit(agentEvent(1), agentEvent(2))
    await clock.advance(0)
    handle.emit(statusEvent('killed', 1100))
    await clock.advance(500)
    expect(order()).not.toContain('task_notification:stopped')
    handle.emit(agentEvent(1, { state: 'error' }), agentEvent(2, { state: 'done' }))
    await clock.advance(0)
    expect(order().slice(-4)).toEqual([
      'task_progress',
      'task_updated:killed',
      'task_notification:stopped',
      'background_tasks_changed',
    ])
    expect(agents(lastSnapshot(frames)).map(row => row.state)).toEqual(['error', 'done'])
    handle.emit(agentEvent(2, { state: 'done', tokens: 3 }))
    handle.finish({ status: 'killed' })
    await clock.advance(0)
    await done
    expect(order().at(-1)).toBe('background_tasks_changed')
  })

  test('in dialect claude-code waits no longer than 1.5 s', async () => {
    const { handle, clock, frames, order, done } = watchStream({ dialect: 'claude-code' })
    handle.emit(agentEvent(1))
    await clock.advance(0)
    handle.emit(statusEvent('killed', 1100))
    await clock.advance(1499)
    expect(order()).not.toContain('task_updated:killed')
    await clock.advance(1)
    expect(order()).toContain('task_notification:stopped')
    expect(agents(lastSnapshot(frames))[0]).toMatchObject({ state: 'error', cause: 'stopped' })
    handle.finish({ status: 'killed' })
    await clock.advance(0)
    await done
  })
})

describe('dialect claude-code', () => {
  test('shows the script, meta.name, transcripts as agents, done for cached and no logs', async () => {
    const { handle, clock, frames, done } = watchStream({
      dialect: 'claude-code',
      scriptFile: 'audit.js',
      script: 'export const meta = {}',
    })
    const row = agentRow(1, { state: 'cached', phaseTitle: 'Scan' })
    handle.emit(
      { type: 'agent', row: { ...row, transcriptId: 'a0123456789abcdef' } as AgentRow },
      { type: 'log', row: { type: 'workflow_log', index: 1, message: 'hello' } },
    )
    handle.finish()
    await clock.advance(0)
    await done
    expect(frames[0]).toMatchObject({ workflow_name: 'audit', prompt: 'export const meta = {}' })
    const snapshot = lastSnapshot(frames)
    expect(snapshot.description).toBe('Scan: agent 1')
    expect(snapshot.workflow_progress).toEqual([
      expect.objectContaining({ agentId: 'a0123456789abcdef', state: 'done', cached: true }),
    ])
  })
})

test('a session that runs several workflows announces the full set each time', async () => {
  const frames: TaskFrame[] = []
  const first = createFakeHandle({ taskId: 'w00000001' })
  const second = createFakeHandle({ taskId: 'w00000002' })
  const tasks = createBackgroundTasks({
    sessionId: 's',
    random: { bytes: length => new Uint8Array(length), next: () => 0 },
    write: frame => frames.push(frame),
  })
  const one = watchStream({ handle: first, tasks })
  const two = watchStream({ handle: second, tasks })
  first.finish()
  await one.clock.advance(0)
  await one.done
  second.finish()
  await two.clock.advance(0)
  await two.done
  const sets = frames.map(frame =>
    frame.subtype === 'background_tasks_changed' ? frame.tasks.map(task => task.task_id) : [],
  )
  expect(sets).toEqual([['w00000001'], ['w00000001', 'w00000002'], ['w00000002'], []])
})

describe('any sequence of events', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('start' as const), index: fc.integer({ min: 1, max: 30 }) }),
    fc.record({ kind: fc.constant('end' as const), index: fc.integer({ min: 1, max: 30 }) }),
    fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 300 }) }),
    fc.record({ kind: fc.constant('log' as const) }),
  )

  propertyTest.prop([
    fc.array(step, { maxLength: 60 }),
    fc.constantFrom('completed' as const, 'failed' as const, 'killed' as const),
    fc.constantFrom('codebuddy' as const, 'claude-code' as const),
  ])('keeps the order rules', async (steps, status, dialect) => {
    const { handle, clock, done, frames } = watchStream({ dialect })
    const open = new Set<number>()
    const ended = new Set<number>()
    const events: RunEvent[] = []
    for (const [at, one] of steps.entries()) {
      if (one.kind === 'start' && !ended.has(one.index)) {
        open.add(one.index)
        events.push(agentEvent(one.index, { tokens: at }))
      } else if (one.kind === 'end' && open.delete(one.index)) {
        ended.add(one.index)
        events.push(agentEvent(one.index, { state: 'done' }))
      } else if (one.kind === 'log') {
        events.push({ type: 'log', row: { type: 'workflow_log', index: at + 1, message: 'x' } })
      }
      handle.emit(...events.splice(0))
      if (one.kind === 'wait') await clock.advance(one.ms)
    }
    const error = 'subagent aborted: x'
    const settle = [...open].map(index => agentEvent(index, { state: 'error', error }))
    if (status !== 'killed') handle.emit(...settle)
    handle.emit(statusEvent(status, clock.now()))
    await clock.advance(20)
    if (status === 'killed') handle.emit(...settle)
    await clock.advance(200)
    handle.finish({ status })
    await clock.advance(2000)
    await done
    expect(frames.filter(frame => frame.subtype === 'task_notification')).toHaveLength(1)
  })
})

function snapshots(frames: TaskFrame[]): TaskProgressFrame[] {
  return frames.filter(frame => frame.subtype === 'task_progress')
}

function lastSnapshot(frames: TaskFrame[]): TaskProgressFrame {
  return snapshots(frames).at(-1)!
}

function agents(frame: TaskProgressFrame): AgentRow[] {
  return (frame.workflow_progress ?? []).filter(row => row.type === 'workflow_agent')
}
