import {
  boundPreview,
  SCHEMA_VERSION,
  type AttemptSummary,
  type JsonValue,
  type LaunchedEntry,
  type RunLimits,
  type RunRecord,
  type RunStatus,
  type RunUsage,
  type WorkflowMeta,
} from '@tutti/protocol'
import { ENGINE_BUILD } from '../sandbox/engine-build.ts'
import type { RunLocations } from '../ports/run-store.ts'
import type { CacheMode, ScriptInput } from './types.ts'
import { noUsage } from './run-state.ts'

/** What is known of an attempt before its script runs. */
export interface AttemptFacts {
  runId: string
  taskId: string
  toolUseId?: string
  sessionId: string
  attempt: number
  /** Start of the first attempt. */
  startedAt: number
  attemptStartedAt: number
  attempts: AttemptSummary[]
  priorUsage: RunUsage
  priorByPhase: ReadonlyMap<string, RunUsage>
  /** Milliseconds that earlier attempts took. */
  priorMs: number
  script: ScriptInput
  scriptHash: string
  meta: WorkflowMeta
  args: JsonValue | undefined
  limits: RunLimits
  model: string | undefined
  /** Backend as asked for. */
  backend: string | undefined
  /** What it resolves to, for people. */
  backendName: string
  cwd: string | undefined
  /** Run-level cache mode, when one was given. */
  cache: CacheMode | undefined
  forkedFrom?: RunRecord['forkedFrom']
}

/** The record of an attempt that begins. */
export function firstRecord(facts: AttemptFacts, locations: RunLocations): RunRecord {
  return {
    schemaVersion: SCHEMA_VERSION,
    runId: facts.runId,
    taskId: facts.taskId,
    ...(facts.toolUseId !== undefined && { toolUseId: facts.toolUseId }),
    attempts: facts.attempts,
    sessionId: facts.sessionId,
    workflowName: facts.meta.name,
    description: facts.meta.description,
    status: 'running',
    startedAt: facts.startedAt,
    attemptStartedAt: facts.attemptStartedAt,
    heartbeatAt: facts.attemptStartedAt,
    attempt: facts.attempt,
    ...(facts.forkedFrom !== undefined && { forkedFrom: facts.forkedFrom }),
    ...(facts.args !== undefined && { args: facts.args }),
    ...(facts.script.path !== undefined && { sourcePath: facts.script.path }),
    ...(facts.cwd !== undefined && { cwd: facts.cwd }),
    scriptPath: locations.script,
    scriptHash: facts.scriptHash,
    ...(facts.model !== undefined && { model: facts.model }),
    backend: facts.backend ?? facts.backendName,
    ...(facts.cache !== undefined && { cache: facts.cache }),
    phases: facts.meta.phases ?? [],
    progress: [],
    logs: [],
    logsDropped: 0,
    limits: facts.limits,
    usage: noUsage(),
    priorUsage: facts.priorUsage,
    census: { total: 0, ok: 0, cached: 0, failed: 0, stopped: 0, skipped: 0 },
    degraded: false,
    failures: [],
    warnings: [],
    outputFile: locations.output,
  }
}

/** The line that opens an attempt in the journal. */
export function launchedEntry(facts: AttemptFacts): LaunchedEntry {
  return {
    type: 'launched',
    runId: facts.runId,
    name: facts.meta.name,
    scriptHash: facts.scriptHash,
    ...(facts.args !== undefined && { args: facts.args }),
    startedAt: facts.startedAt,
    limits: facts.limits,
    ...(facts.model !== undefined && { model: facts.model }),
    backend: facts.backend ?? facts.backendName,
    engine: ENGINE_BUILD,
    schemaVersion: SCHEMA_VERSION,
  }
}

/** The short form of an attempt that another one follows. */
export function summarize(record: RunRecord): AttemptSummary {
  return {
    attempt: record.attempt,
    taskId: record.taskId,
    ...(record.toolUseId !== undefined && { toolUseId: record.toolUseId }),
    status: endedStatus(record.status),
    startedAt: record.attemptStartedAt,
    ...(record.endedAt !== undefined && { endedAt: record.endedAt }),
  }
}

/** An attempt that another one follows has ended, also when nobody was left to write that down. */
function endedStatus(status: RunStatus): RunStatus {
  return status === 'running' || status === 'pending' ? 'killed' : status
}

/** The preview of a result; undefined for a script that returned nothing. */
export function previewOf(value: JsonValue | undefined): string | undefined {
  if (value === undefined) return undefined
  return boundPreview(typeof value === 'string' ? value : JSON.stringify(value))
}
