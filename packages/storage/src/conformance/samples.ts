import { SCHEMA_VERSION } from '@tutti/protocol'
import type {
  FailedEntry,
  JournalEntry,
  LaunchedEntry,
  ResultEntry,
  RunRecord,
  StartedEntry,
} from '@tutti/protocol'
import type { RunCreation, RunLocations } from '@tutti/runtime'

/** Start of all sample runs, milliseconds since the epoch. */
export const SAMPLE_TIME = 1_790_000_000_000

export const SAMPLE_SESSION = '0f8fad5b-d9cb-469f-a165-70867728950e'

/** A new run. */
export function sampleCreation(runId: string, changes: Partial<RunRecord> = {}): RunCreation {
  return {
    runId,
    sessionId: SAMPLE_SESSION,
    scriptName: 'sample',
    script: `export const meta = { name: 'sample', description: 'A sample' }\nreturn 1\n`,
    record: locations => ({ ...sampleRecord(runId, locations), ...changes }),
  }
}

/** The first record of a run. */
export function sampleRecord(runId: string, locations: RunLocations): RunRecord {
  const spent = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, toolUses: 0, durationMs: 0 }
  return {
    schemaVersion: SCHEMA_VERSION,
    runId,
    taskId: 'w0123abcd',
    attempts: [],
    sessionId: SAMPLE_SESSION,
    workflowName: 'sample',
    description: 'A sample',
    status: 'running',
    startedAt: SAMPLE_TIME,
    attemptStartedAt: SAMPLE_TIME,
    heartbeatAt: SAMPLE_TIME,
    attempt: 1,
    scriptPath: locations.script,
    scriptHash: '0'.repeat(64),
    phases: [],
    progress: [],
    logs: [],
    logsDropped: 0,
    limits: sampleLimits(),
    usage: spent,
    priorUsage: spent,
    census: { total: 0, ok: 0, cached: 0, failed: 0, stopped: 0, skipped: 0 },
    degraded: false,
    failures: [],
    warnings: [],
    outputFile: locations.output,
  }
}

export function launchedEntry(runId: string, changes: Partial<LaunchedEntry> = {}): LaunchedEntry {
  return {
    type: 'launched',
    runId,
    name: 'sample',
    scriptHash: '0'.repeat(64),
    startedAt: SAMPLE_TIME,
    limits: sampleLimits(),
    engine: 'sample-engine',
    schemaVersion: SCHEMA_VERSION,
    ...changes,
  }
}

export function startedEntry(n: number): StartedEntry {
  const call = { prompt: `Task ${n}` }
  return { type: 'started', ...identity(n), index: n, label: `agent ${n}`, call }
}

export function resultEntry(n: number, result: ResultEntry['result'] = `Result ${n}`): ResultEntry {
  return { type: 'result', ...identity(n), result, ...spending() }
}

export function failedEntry(n: number): FailedEntry {
  return { type: 'failed', ...identity(n), cause: 'crashed', message: 'It died.', ...spending() }
}

export function deliveredEntry(n: number): JournalEntry {
  return { type: 'delivered', key: identity(n).key, n }
}

function identity(n: number): { key: string; n: number; agentId: string; transcriptId: string } {
  const key = `v2:${n.toString(16).padStart(64, '0')}`
  return { key, n, agentId: key, transcriptId: `a${n.toString(16).padStart(16, '0')}` }
}

function spending(): Pick<ResultEntry, 'usage' | 'tries' | 'effects' | 'endedAt'> {
  const usage = { input: 10, output: 20, cacheRead: 0, cacheWrite: 0, toolUses: 1, durationMs: 5 }
  return { usage, tries: 1, effects: 'none', endedAt: SAMPLE_TIME + 1_000 }
}

function sampleLimits(): RunRecord['limits'] {
  return {
    concurrency: 4,
    agents: 1_000,
    entries: 4_096,
    scriptCpuMs: 30_000,
    scriptMemoryMiB: 128,
    outputTokens: null,
  }
}
