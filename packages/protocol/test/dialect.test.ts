import { describe, expect, it } from 'vitest'
import type { OutFrame } from '../src/control.ts'
import { latestActivity, mapFrame, resolveDialect } from '../src/dialect.ts'
import type { TaskProgressFrame, TaskStartedFrame } from '../src/frames.ts'
import type { AgentRow, LogRow, PhaseRow, ProgressRow } from '../src/progress.ts'

const stamp = { uuid: 'u', session_id: 's' }
const phase: PhaseRow = { type: 'workflow_phase', index: 1, title: 'Review' }
const log: LogRow = { type: 'workflow_log', index: 1, message: 'hello' }

function agent(index: number, fields: Partial<AgentRow> = {}): AgentRow {
  const row = {
    index,
    agentId: `v2:${index}`,
    label: `agent ${index}`,
    state: 'start' as const,
    startedAt: 10,
  }
  return { type: 'workflow_agent', ...row, ...fields }
}

function waiting(index: number): AgentRow {
  const { startedAt: _none, ...row } = agent(index, { queuedAt: 5 })
  return row
}

function progress(rows?: ProgressRow[]): TaskProgressFrame {
  return {
    type: 'system',
    subtype: 'task_progress',
    task_id: 'w00000001',
    description: 'Audit everything',
    usage: { total_tokens: 0, tool_uses: 0, duration_ms: 0 },
    ...(rows === undefined ? {} : { workflow_progress: rows }),
    ...stamp,
  }
}

function rowsOf(frame: OutFrame): ProgressRow[] | undefined {
  return (frame as TaskProgressFrame).workflow_progress
}

const started: TaskStartedFrame = {
  type: 'system',
  subtype: 'task_started',
  task_id: 'w00000001',
  task_type: 'local_workflow',
  workflow_name: 'path:audit.js',
  description: 'Audit everything',
  ...stamp,
}

describe('choosing a dialect', () => {
  it('is what the setting says', () => {
    expect(resolveDialect('codebuddy', { CLAUDE_AGENT_SDK_VERSION: '0.3.332' })).toBe('codebuddy')
    expect(resolveDialect('claude-code', {})).toBe('claude-code')
  })

  it('follows who started us by default', () => {
    expect(resolveDialect('auto', { CLAUDE_AGENT_SDK_VERSION: '0.3.332' })).toBe('claude-code')
    expect(resolveDialect(undefined, { CLAUDE_AGENT_SDK_VERSION: '' })).toBe('codebuddy')
    expect(resolveDialect('auto', {})).toBe('codebuddy')
  })
})

describe('dialect codebuddy', () => {
  it('never shows the script of a workflow', () => {
    expect(mapFrame({ ...started, prompt: 'source' }, 'codebuddy', { script: 'source' })).toEqual(started)
  })

  it('shows agents from their slot on', () => {
    const frame = progress([phase, agent(1), waiting(2), log])
    expect(rowsOf(mapFrame(frame, 'codebuddy'))).toEqual([phase, agent(1), log])
  })

  it('gives a replayed row a start', () => {
    const cached = { ...waiting(1), state: 'cached' as const, cached: true }
    expect(rowsOf(mapFrame(progress([cached]), 'codebuddy'))).toEqual([{ ...cached, startedAt: 5 }])
  })

  it('leaves an empty snapshot out', () => {
    expect(mapFrame(progress([waiting(1)]), 'codebuddy')).toEqual(progress())
    expect(mapFrame(progress([]), 'codebuddy')).toEqual(progress())
  })
})

describe('dialect claude-code', () => {
  it('shows name and script of a workflow', () => {
    const mapped = mapFrame(started, 'claude-code', { workflowName: 'audit', script: 'export const meta' })
    expect(mapped).toEqual({ ...started, workflow_name: 'audit', prompt: 'export const meta' })
  })

  it('calls replayed agents done and cached', () => {
    const frame = progress([agent(1, { state: 'cached' })])
    expect(rowsOf(mapFrame(frame, 'claude-code'))).toEqual([agent(1, { state: 'done', cached: true })])
  })

  it('names transcripts where there are some', () => {
    const transcriptOf = (row: AgentRow): string | undefined =>
      row.index === 1 ? 'a0123456789abcdef' : undefined
    const rows = rowsOf(mapFrame(progress([agent(1), waiting(2)]), 'claude-code', { transcriptOf }))
    expect(rows).toEqual([agent(1, { agentId: 'a0123456789abcdef' }), waiting(2)])
  })

  it('has no log rows', () => {
    expect(rowsOf(mapFrame(progress([phase, log]), 'claude-code'))).toEqual([phase])
    expect(mapFrame(progress([log]), 'claude-code')).toEqual(progress())
  })

  it('is about the latest agent', () => {
    const rows = [
      agent(1, { lastProgressAt: 30, phaseTitle: 'Review' }),
      agent(2, { startedAt: 20, phaseTitle: 'Verify' }),
    ]
    expect(mapFrame(progress(rows), 'claude-code')).toMatchObject({ description: 'Review: agent 1' })
    expect(mapFrame(progress(), 'claude-code', { activity: 'Verify: agent 2' })).toMatchObject({
      description: 'Verify: agent 2',
    })
    expect(mapFrame(progress(), 'claude-code')).toMatchObject({ description: 'Audit everything' })
  })

  it('passes rows of unknown type on', () => {
    const row = { type: 'workflow_note', index: 1 } as unknown as ProgressRow
    expect(rowsOf(mapFrame(progress([row]), 'claude-code'))).toEqual([row])
  })
})

describe('either dialect', () => {
  it.each(['codebuddy', 'claude-code'] as const)('%s leaves other frames and other tasks alone', dialect => {
    const other: OutFrame = { ...started, task_type: 'Agent', prompt: 'Look around' }
    for (const frame of [other, progress(), { type: 'keep_alive' }] satisfies OutFrame[]) {
      expect(mapFrame(frame, dialect)).toEqual(frame)
    }
  })

  it.each(['codebuddy', 'claude-code'] as const)('%s does not change the frame it was given', dialect => {
    const frame = progress([phase, agent(1, { state: 'cached' }), waiting(2), log])
    const before = structuredClone(frame)
    mapFrame(frame, dialect, { transcriptOf: () => 'a0123456789abcdef' })
    expect(frame).toEqual(before)
  })
})

describe('the latest activity', () => {
  it('is that of the later row when times are equal', () => {
    expect(latestActivity([agent(1), agent(2)])).toBe('agent 2')
  })

  it('is nothing without agents', () => {
    expect(latestActivity([phase, log])).toBe(undefined)
  })
})
