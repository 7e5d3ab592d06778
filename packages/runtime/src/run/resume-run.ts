import type { AttemptSummary, JournalLine, LaunchedEntry, RunUsage } from '@tutti/protocol'
import { prepareArgs } from '../check/args.ts'
import { JournalError } from '../errors/errors.ts'
import type { RunWriter, StoredRun } from '../ports/run-store.ts'
import { ENGINE_BUILD } from '../sandbox/engine-build.ts'
import { prepareSandbox } from '../sandbox/open-sandbox.ts'
import { begin, type RuntimeParts } from './begin-attempt.ts'
import { checked, defaultBackendName } from './checked-script.ts'
import { newTaskId } from './ids.ts'
import { mergeLimits } from './limits.ts'
import { indexRecords } from './replay/record-index.ts'
import { retriedCall, setAside } from './retried-call.ts'
import type { RuntimePorts } from './run-context.ts'
import { firstRecord, summarize, type AttemptFacts } from './run-record.ts'
import { addUsage, noUsage } from './run-state.ts'
import type { ResumeOptions, RunHandle, ScriptInput } from './types.ts'

/** A further attempt of a run. */
export async function resumeRun(
  parts: RuntimeParts,
  runId: string,
  options: ResumeOptions,
): Promise<RunHandle> {
  const prepared = prepareSandbox()
  let writer: RunWriter | undefined
  try {
    const opened = await parts.ports.store.open(runId)
    writer = opened.writer
    const { facts, warnings } = await resumeFacts(parts, opened.run, options)
    const again = options.again && retriedCall(parts.ports, opened.run, options.again)
    await writer.writeScript(facts.script.source)
    await writer.writeRecord(firstRecord(facts, writer.locations))
    const records = indexRecords(opened.run.journal)
    if (again !== undefined) setAside(records, again)
    return begin(parts, { facts, writer, prepared, warnings, records, reuse: options.reuse, again })
  } catch (error) {
    await prepared.discard()
    await writer?.close()
    throw error
  }
}

/** What the next attempt of a run starts from: the record's, unless given anew. */
export async function resumeFacts(
  { ports, limits, schemas }: RuntimeParts,
  run: StoredRun,
  options: ResumeOptions,
): Promise<{ facts: AttemptFacts; warnings: string[] }> {
  const { record } = run
  if (run.journal.length === 0 && record.endedAt !== undefined) {
    throw new JournalError(
      'journal-unreadable',
      `the journal of run ${record.runId} is empty, although the run ended; a resume would dispatch every agent again. Restore ${run.locations.journal}, or launch the script as a new run`,
    )
  }
  const notes = run.damaged.map(({ line, reason }) => `journal line ${line} was skipped: ${reason}`)
  const script = options.script ?? (await recordedScript(run, ports, notes))
  const { meta, hash, warnings } = checked(script)
  const launched = run.journal.filter(line => line.type === 'launched')
  const backend = options.backend ?? record.backend
  const facts: AttemptFacts = {
    runId: record.runId,
    taskId: newTaskId(ports.random),
    ...(options.toolUseId !== undefined && { toolUseId: options.toolUseId }),
    sessionId: record.sessionId,
    attempt: run.journal.reduce((last, line) => Math.max(last, line.attempt), record.attempt) + 1,
    startedAt: launched[0]?.startedAt ?? record.startedAt,
    attemptStartedAt: ports.clock.now(),
    attempts: [...record.attempts, summarize(record)],
    ...spentBefore(run.journal),
    priorMs: [...record.attempts, summarize(record)].reduce((sum, one) => sum + durationOf(one), 0),
    script,
    scriptHash: hash,
    meta,
    args: await prepareArgs(options.args ?? record.args, meta, schemas),
    limits: mergeLimits(limits, record.limits, options.limits),
    model: options.model ?? record.model,
    backend,
    backendName: await defaultBackendName(ports, backend),
    cwd: record.cwd,
    cache: options.cache ?? (record.cache === 'never' ? undefined : record.cache),
  }
  return { facts, warnings: [...warnings, ...notes, ...engineNotes(launched)] }
}

/** Started by path: the file as it is now. Else, or when it is gone, the saved copy. */
async function recordedScript(run: StoredRun, ports: RuntimePorts, notes: string[]): Promise<ScriptInput> {
  const path = run.record.sourcePath
  if (path === undefined) return { source: savedCopy(run) }
  try {
    const { source } = await ports.workflows.resolve({ scriptPath: path }, undefined)
    return { source, path }
  } catch {
    const source = savedCopy(run)
    notes.push(`${path} can no longer be read: the saved copy of the script runs`)
    return { source, path }
  }
}

function savedCopy({ script, record, locations }: StoredRun): string {
  if (script !== undefined) return script
  const path = record.sourcePath === undefined ? '' : `, and neither can ${record.sourcePath}`
  throw new JournalError(
    'journal-unreadable',
    `The script of run ${record.runId} cannot be read: its copy ${locations.script} is missing${path}. Nothing was changed.`,
    { hint: `Give the script anew: tutti resume ${record.runId} --script <file>` },
  )
}

function engineNotes(launched: LaunchedEntry[]): string[] {
  const engine = launched.at(-1)?.engine
  if (engine === undefined || engine === ENGINE_BUILD) return []
  return [`the run was recorded with another script engine (${engine}, now ${ENGINE_BUILD})`]
}

/** What earlier attempts really spent, in all and by phase. */
function spentBefore(journal: JournalLine[]): Pick<AttemptFacts, 'priorUsage' | 'priorByPhase'> {
  const phaseOf = new Map<string, string>()
  const priorByPhase = new Map<string, RunUsage>()
  let priorUsage = noUsage()
  for (const line of journal) {
    if (line.type === 'started' && line.phase !== undefined) phaseOf.set(`${line.key}#${line.n}`, line.phase)
    if (line.type !== 'result' && line.type !== 'failed') continue
    if (line.type === 'result' && line.origin !== undefined) continue
    priorUsage = addUsage(priorUsage, line.usage)
    const phase = phaseOf.get(`${line.key}#${line.n}`)
    if (phase !== undefined)
      priorByPhase.set(phase, addUsage(priorByPhase.get(phase) ?? noUsage(), line.usage))
  }
  return { priorUsage, priorByPhase }
}

/** A killed attempt has no end: what it took is not known. */
function durationOf({ startedAt, endedAt }: AttemptSummary): number {
  return endedAt === undefined ? 0 : Math.max(0, endedAt - startedAt)
}
