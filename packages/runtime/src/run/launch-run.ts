import { prepareArgs } from '../check/args.ts'
import { prepareSandbox } from '../sandbox/open-sandbox.ts'
import { begin, type RuntimeParts } from './begin-attempt.ts'
import { checked, defaultBackendName } from './checked-script.ts'
import { newRunId, newSessionId, newTaskId } from './ids.ts'
import { mergeLimits } from './limits.ts'
import { indexRecords } from './replay/record-index.ts'
import { firstRecord, type AttemptFacts } from './run-record.ts'
import { noUsage } from './run-state.ts'
import type { LaunchOptions, RunHandle, ScriptInput } from './types.ts'

/** The first attempt of a new run. */
export async function launchRun(
  parts: RuntimeParts,
  script: ScriptInput,
  options: LaunchOptions,
): Promise<RunHandle> {
  const prepared = prepareSandbox()
  try {
    const { facts, warnings } = await launchFacts(parts, script, options)
    const writer = await parts.ports.store.create({
      runId: facts.runId,
      sessionId: facts.sessionId,
      scriptName: facts.meta.name,
      script: script.source,
      record: locations => firstRecord(facts, locations),
    })
    return begin(parts, {
      facts,
      writer,
      prepared,
      warnings,
      records: indexRecords([]),
      reuse: options.reuse,
    })
  } catch (error) {
    await prepared.discard()
    throw error
  }
}

/** What a new run starts from. Throws WorkflowInputError for a script, args or limits that cannot run. */
export async function launchFacts(
  { ports, schemas, limits }: RuntimeParts,
  script: ScriptInput,
  options: LaunchOptions,
): Promise<{ facts: AttemptFacts; warnings: string[] }> {
  const { meta, hash, warnings } = checked(script)
  const now = ports.clock.now()
  const facts: AttemptFacts = {
    runId: newRunId(ports.random),
    taskId: newTaskId(ports.random),
    ...(options.toolUseId !== undefined && { toolUseId: options.toolUseId }),
    sessionId: options.sessionId ?? newSessionId(ports.random),
    attempt: 1,
    startedAt: now,
    attemptStartedAt: now,
    attempts: [],
    priorUsage: noUsage(),
    priorByPhase: new Map(),
    priorMs: 0,
    script,
    scriptHash: hash,
    meta,
    args: await prepareArgs(options.args, meta, schemas),
    limits: mergeLimits(limits, options.limits),
    model: options.model,
    backend: options.backend,
    backendName: await defaultBackendName(ports, options.backend),
    cwd: options.cwd,
    cache: options.cache,
  }
  return { facts, warnings }
}
