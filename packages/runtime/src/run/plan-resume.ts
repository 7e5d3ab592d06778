import type { JournalEntry } from '@tutti/protocol'
import { DeadlockError } from '../errors/errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { RunWriter, StoredRun } from '../ports/run-store.ts'
import { prepareSandbox } from '../sandbox/open-sandbox.ts'
import { budgetOf, sandboxOptions, type RuntimeParts } from './begin-attempt.ts'
import type { Call } from './call.ts'
import { CallFactory } from './call-factory.ts'
import type { Barrier, CallSink } from './call-sink.ts'
import { createEventFeed } from './event-feed.ts'
import type { PlannedRest, ReplayPlan } from './plan-types.ts'
import { createCacheRule } from './replay/cache-rule.ts'
import { explainMiss, readHistory } from './replay/explain-miss.ts'
import { Inbox } from './replay/inbox.ts'
import { indexRecords } from './replay/record-index.ts'
import { resumeFacts } from './resume-run.ts'
import type { RunContext } from './run-context.ts'
import { RunState, tokensOf } from './run-state.ts'
import { ScriptEffects } from './script-effects.ts'
import { ScriptLoop } from './script-loop.ts'
import type { ResumeOptions } from './types.ts'

/**
 * Runs the script against the records of a run and stops where it would wait for a dispatch. Dispatches and
 * writes nothing, takes no lease. Throws as a resume does.
 */
export async function planResume(
  { ports, schemas, limits }: RuntimeParts,
  runId: string,
  options: ResumeOptions,
): Promise<ReplayPlan> {
  const run = await ports.store.load(runId)
  const { facts, warnings } = await resumeFacts({ ports, schemas, limits }, run, options)
  const feed = createEventFeed(() => [])
  const state = new RunState(feed, () => facts.attemptStartedAt, facts.meta.phases ?? [])
  const records = indexRecords(run.journal)
  const context: RunContext = {
    ports: { ...ports, clock: stoppedClock(facts.attemptStartedAt) },
    facts,
    writer: silentWriter(run),
    feed,
    state,
    inbox: new Inbox(),
    records,
    budget: budgetOf(facts, state, ports),
  }
  const calls = new CallFactory({
    executor: ports.executor,
    agentTypes: ports.agentTypes,
    schemas,
    model: facts.model,
    backend: facts.backend,
    cache: options.cache,
  })
  calls.addScript('', facts.meta)
  const missed: { call: Call; barrier: Barrier }[] = []
  const live: CallSink = { add: (call, barrier) => void missed.push({ call, barrier }), pause: undefined }
  const rule = createCacheRule()
  const effects = new ScriptEffects(context, { calls, live, rule })
  const sandbox = await prepareSandbox().open(sandboxOptions(facts))
  try {
    const loop = new ScriptLoop({
      context,
      live,
      effects,
      rule,
      sandbox,
      halted: () => false,
      pending: () => false,
    })
    const ending = await loop.run()
    await loop.takeRemaining()
    const history = await readHistory(run.journal, async hash => await ports.store.readBlob(runId, hash))
    return {
      runId,
      hits: state.census.cached,
      misses: missed.map(({ call, barrier }) => explainMiss(call, barrier, history)),
      notReached: restOf(records.all()),
      tokensSaved: records
        .all()
        .filter(record => record.taken)
        .reduce((sum, record) => sum + tokensOf(record.entry.usage), 0),
      ...standOf(ending),
      warnings: [...warnings, ...state.warnings],
    }
  } finally {
    await sandbox.terminate()
  }
}

function standOf(
  ending: Awaited<ReturnType<ScriptLoop['run']>>,
): Pick<ReplayPlan, 'end' | 'value' | 'error'> {
  if (ending.kind === 'returned') {
    return { end: 'returned', ...(ending.value !== undefined && { value: ending.value }) }
  }
  if (ending.kind === 'failed' && ending.error.name !== DeadlockError.name) {
    return { end: 'threw', error: ending.error.message }
  }
  return { end: 'waiting' }
}

function restOf(records: ReturnType<ReturnType<typeof indexRecords>['all']>): PlannedRest[] {
  return records.filter(record => !record.taken).map(({ key, n, label }) => ({ label: label ?? '', key, n }))
}

/** Timers that did not fire before do not fire in a plan: the script would wait. */
function stoppedClock(now: number): Clock {
  return { now: () => now, timer: () => ({ cancel: () => {} }) }
}

/** Takes everything and keeps nothing. */
function silentWriter(run: StoredRun): RunWriter {
  const nothing = async (): Promise<void> => {}
  return {
    fence: 0,
    locations: run.locations,
    lost: new AbortController().signal,
    append: nothing,
    appendLater: (_attempt: number, _entry: JournalEntry) => {},
    writeScript: nothing,
    writeRecord: nothing,
    writeOutput: nothing,
    writeBlob: async () => '',
    transcript: () => ({ write: () => {}, close: () => {} }),
    close: nothing,
  }
}
