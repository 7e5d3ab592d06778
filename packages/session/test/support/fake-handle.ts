import type { AgentRow, RunRecord, RunStatus } from '@tutti/protocol'
import type { RunEnd, RunEvent, RunHandle } from '@tutti/runtime'

/** A run whose events a test hands out one by one. */
export interface FakeHandle extends RunHandle {
  emit(...events: RunEvent[]): void
  /** Ends the run: the `end` event and the result. */
  finish(record?: Partial<RunRecord>): void
}

export const LOCATIONS = {
  record: '/runs/wf_00000001-abc.json',
  output: '/runs/wf_00000001-abc.output.json',
  journal: '/runs/wf_00000001-abc.journal.jsonl',
  script: '/runs/scripts/wf_00000001-abc.js',
  transcripts: '/runs/subagents/workflows/wf_00000001-abc',
}

export function fakeRecord(changes: Partial<RunRecord> = {}): RunRecord {
  return {
    schemaVersion: 1,
    runId: 'wf_00000001-abc',
    taskId: 'w00000001',
    attempts: [],
    sessionId: '00000000-0000-4000-8000-000000000000',
    workflowName: 'audit',
    description: 'Audit it',
    status: 'running',
    startedAt: 1000,
    attemptStartedAt: 1000,
    heartbeatAt: 1000,
    attempt: 1,
    scriptPath: LOCATIONS.script,
    scriptHash: 'hash',
    phases: [],
    progress: [],
    logs: [],
    logsDropped: 0,
    limits: {
      concurrency: 16,
      agents: 1000,
      entries: 4096,
      scriptCpuMs: 30_000,
      scriptMemoryMiB: 128,
      outputTokens: null,
    },
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, toolUses: 0, durationMs: 0 },
    priorUsage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, toolUses: 0, durationMs: 0 },
    census: { total: 0, ok: 0, cached: 0, failed: 0, stopped: 0, skipped: 0 },
    degraded: false,
    failures: [],
    warnings: [],
    outputFile: LOCATIONS.output,
    ...changes,
  }
}

export function createFakeHandle(start: Partial<RunRecord> = {}): FakeHandle {
  const queue: RunEvent[] = []
  let record = fakeRecord(start)
  let wake: (() => void) | undefined
  let ended = false
  let resolveResult: (end: RunEnd) => void = () => {}
  const result = new Promise<RunEnd>(resolve => (resolveResult = resolve))

  async function* read(): AsyncGenerator<RunEvent> {
    for (;;) {
      const event = queue.shift()
      if (event !== undefined) yield event
      else if (ended) return
      else await new Promise<void>(resolve => (wake = resolve))
    }
  }

  return {
    runId: record.runId,
    taskId: record.taskId,
    name: record.workflowName,
    description: record.description,
    locations: LOCATIONS,
    warnings: [],
    events: read(),
    result,
    snapshot: () => record,
    stop: () => result,
    skip: () => false,
    retry: () => false,
    emit(...events) {
      queue.push(...events)
      wake?.()
    },
    finish(changes = {}) {
      record = { ...record, status: 'completed', ...changes }
      const end: RunEnd = {
        runId: record.runId,
        taskId: record.taskId,
        status: record.status,
        degraded: record.degraded,
        dispatched: 0,
        tokens: 0,
        record,
      }
      queue.push({ type: 'end', end })
      ended = true
      resolveResult(end)
      wake?.()
    },
  }
}

export function agentRow(index: number, changes: Partial<AgentRow> = {}): AgentRow {
  return {
    type: 'workflow_agent',
    index,
    agentId: `v2:${String(index).padStart(64, '0')}`,
    label: `agent ${index}`,
    state: 'start',
    queuedAt: 1000,
    startedAt: 1000,
    ...changes,
  }
}

export function agentEvent(index: number, changes: Partial<AgentRow> = {}): RunEvent {
  return { type: 'agent', row: agentRow(index, changes) }
}

export function statusEvent(status: RunStatus, at: number, terminal = true): RunEvent {
  return { type: 'status', status, terminal, at }
}
