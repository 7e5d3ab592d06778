import type { JournalEntry } from '@tutti/protocol'
import type { Clock } from '../ports/clock.ts'
import type { RunLocations, RunWriter } from '../ports/run-store.ts'
import { prepareSandbox } from '../sandbox/open-sandbox.ts'
import { budgetOf, sandboxOptions, type RuntimeParts } from './begin-attempt.ts'
import type { Call } from './call.ts'
import { CallFactory } from './call-factory.ts'
import type { Barrier, CallSink } from './call-sink.ts'
import type { Ending } from './ending.ts'
import { createEventFeed } from './event-feed.ts'
import { createCacheRule } from './replay/cache-rule.ts'
import { Inbox } from './replay/inbox.ts'
import type { RecordIndex } from './replay/record-index.ts'
import type { RetriedCall } from './retried-call.ts'
import type { AttemptFacts } from './run-record.ts'
import type { RunContext } from './run-context.ts'
import { RunState } from './run-state.ts'
import { ScriptEffects } from './script-effects.ts'
import { ScriptLoop } from './script-loop.ts'
import { createTreeLedger } from './tree-ledger.ts'

export interface RehearsalOptions {
  facts: AttemptFacts
  records: RecordIndex
  locations: RunLocations
  again?: RetriedCall | undefined
}

export interface Rehearsal {
  /** Calls that took no record, in the order of issue. */
  missed: { call: Call; barrier: Barrier }[]
  ending: Ending
  state: RunState
}

/** Runs a script against records until it would wait for a dispatch. Dispatches and writes nothing. */
export async function rehearse(parts: RuntimeParts, options: RehearsalOptions): Promise<Rehearsal> {
  const { facts, records, locations, again } = options
  const { ports, schemas } = parts
  const feed = createEventFeed(() => [])
  const state = new RunState(feed, () => facts.attemptStartedAt, facts.meta.phases ?? [])
  const context: RunContext = {
    ports: { ...ports, clock: stoppedClock(facts.attemptStartedAt) },
    facts,
    writer: silentWriter(locations),
    feed,
    state,
    inbox: new Inbox(),
    records,
    budget: budgetOf(facts, state, ports),
    reuse: undefined,
    trees: createTreeLedger(),
    again,
  }
  const calls = new CallFactory({
    executor: ports.executor,
    agentTypes: ports.agentTypes,
    schemas,
    model: facts.model,
    backend: facts.backend,
    cache: facts.cache,
    trees: context.trees,
  })
  calls.addScript('', facts.meta)
  const missed: Rehearsal['missed'] = []
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
    loop.takeRemaining(false)
    return { missed, ending, state }
  } finally {
    await sandbox.terminate()
  }
}

/** Timers that did not fire before do not fire in a rehearsal: the script would wait. */
function stoppedClock(now: number): Clock {
  return { now: () => now, timer: () => ({ cancel: () => {} }) }
}

/** Takes everything and keeps nothing. */
function silentWriter(locations: RunLocations): RunWriter {
  const nothing = async (): Promise<void> => {}
  return {
    fence: 0,
    locations,
    lost: new AbortController().signal,
    append: nothing,
    appendLater: (_attempt: number, _entry: JournalEntry) => {},
    writeScript: nothing,
    writeRecord: nothing,
    writeOutput: nothing,
    writeBlob: async () => '',
    transcript: () => ({ write: () => {}, close: () => {} }),
    readTranscript: async () => [],
    close: nothing,
  }
}
