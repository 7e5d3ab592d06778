import type { AgentRow, RunRecord } from '@tutti/protocol'
import type { RunEnd, RunLocations } from '@tutti/runtime'

export const LOCATIONS: RunLocations = {
  record: '/config/projects/-p/s/wf_00000001-abc.json',
  output: '/config/projects/-p/s/wf_00000001-abc.output.json',
  journal: '/config/projects/-p/s/wf_00000001-abc.journal.jsonl',
  script: '/config/projects/-p/s/scripts/wf_00000001-abc.js',
  transcripts: '/config/projects/-p/s/subagents/workflows/wf_00000001-abc',
}

export function row(index: number, changes: Partial<AgentRow> = {}): AgentRow {
  return {
    type: 'workflow_agent',
    index,
    agentId: `v2:${index}`,
    label: `agent ${index}`,
    state: 'start',
    startedAt: 0,
    ...changes,
  }
}

export function record(changes: Partial<RunRecord> = {}): RunRecord {
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, toolUses: 0, durationMs: 0 }
  return {
    schemaVersion: 1,
    runId: 'wf_00000001-abc',
    taskId: 'w00000001',
    attempts: [],
    sessionId: '00000000-0000-4000-8000-000000000000',
    workflowName: 'audit',
    description: 'Audit it',
    status: 'completed',
    startedAt: 0,
    attemptStartedAt: 0,
    heartbeatAt: 0,
    attempt: 1,
    scriptPath: LOCATIONS.script,
    scriptHash: 'hash',
    phases: [],
    progress: [],
    logs: [],
    logsDropped: 0,
    limits: {
      concurrency: 2,
      agents: 1000,
      entries: 4096,
      scriptCpuMs: 30_000,
      scriptMemoryMiB: 128,
      outputTokens: null,
    },
    usage,
    priorUsage: usage,
    census: { total: 0, ok: 0, cached: 0, failed: 0, stopped: 0, skipped: 0 },
    degraded: false,
    failures: [],
    warnings: [],
    outputFile: LOCATIONS.output,
    ...changes,
  }
}

export function runEnd(changes: Partial<RunEnd> = {}, recordChanges: Partial<RunRecord> = {}): RunEnd {
  const status = changes.status ?? 'completed'
  return {
    runId: 'wf_00000001-abc',
    taskId: 'w00000001',
    status,
    degraded: false,
    dispatched: 0,
    tokens: 0,
    record: record({ status, ...recordChanges }),
    ...changes,
  }
}
