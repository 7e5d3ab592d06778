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
  const { ports } = parts
  const prepared = prepareSandbox()
  try {
    const { meta, hash, warnings } = checked(script)
    const args = await prepareArgs(options.args, meta)
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
      args,
      limits: mergeLimits(parts.limits, options.limits),
      model: options.model,
      backend: options.backend,
      backendName: await defaultBackendName(ports, options.backend),
      cwd: options.cwd,
    }
    const writer = await ports.store.create({
      runId: facts.runId,
      sessionId: facts.sessionId,
      scriptName: meta.name,
      script: script.source,
      record: locations => firstRecord(facts, locations),
    })
    return begin(parts, {
      facts,
      writer,
      prepared,
      warnings,
      records: indexRecords([]),
      cache: options.cache,
    })
  } catch (error) {
    prepared.discard()
    throw error
  }
}
