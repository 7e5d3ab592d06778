import type { RunLimits } from '@tutti/protocol'
import type { ReusableRun } from '../ports/reusable-run.ts'
import type { RunWriter } from '../ports/run-store.ts'
import type { PreparedSandbox } from '../sandbox/open-sandbox.ts'
import type { SandboxOptions } from '../sandbox/types.ts'
import type { SchemaCompiler } from '../schema/compile-schema.ts'
import { Budget } from './budget.ts'
import { CallFactory } from './call-factory.ts'
import { createEventFeed } from './event-feed.ts'
import { Inbox } from './replay/inbox.ts'
import { indexReuse } from './replay/reuse-index.ts'
import type { RecordIndex } from './replay/record-index.ts'
import { Run } from './run.ts'
import type { RuntimePorts } from './run-context.ts'
import { handleOf } from './run-handle.ts'
import type { AttemptFacts } from './run-record.ts'
import type { RetriedCall } from './retried-call.ts'
import { RunState } from './run-state.ts'
import { createTreeLedger } from './tree-ledger.ts'
import type { RunEvent, RunHandle } from './types.ts'

/** What launches and resumes of one runtime share. */
export interface RuntimeParts {
  ports: RuntimePorts
  schemas: SchemaCompiler
  limits: RunLimits
}

export interface Beginning {
  facts: AttemptFacts
  writer: RunWriter
  prepared: PreparedSandbox
  warnings: string[]
  records: RecordIndex
  reuse?: ReusableRun | undefined
  again?: RetriedCall | undefined
}

/** Starts an attempt whose record is written; gives what a caller holds of it. */
export function begin({ ports, schemas }: RuntimeParts, beginning: Beginning): RunHandle {
  const { facts, writer, prepared, warnings, records, reuse, again } = beginning
  const feed = createEventFeed(() => catchUp())
  const state = new RunState(feed, () => ports.clock.now(), facts.meta.phases ?? [])
  for (const warning of warnings) state.warn(warning)
  const trees = createTreeLedger()
  const calls = new CallFactory({
    executor: ports.executor,
    agentTypes: ports.agentTypes,
    schemas,
    model: facts.model,
    backend: facts.backend,
    cache: facts.cache,
    trees,
  })
  calls.addScript('', facts.meta)
  const run = new Run(
    {
      ports,
      facts,
      writer,
      feed,
      state,
      inbox: new Inbox(),
      records,
      budget: budgetOf(facts, state, ports),
      reuse: reuse === undefined ? undefined : indexReuse(reuse),
      trees,
      again,
    },
    calls,
    prepared.open(sandboxOptions(facts)),
  )
  const catchUp = (): RunEvent[] => [
    { type: 'launched' },
    ...state.phases.map(row => ({ type: 'phase' as const, row })),
    ...state.warnings.map(message => ({ type: 'warning' as const, message })),
    ...state.rows.map(row => ({ type: 'agent' as const, row: { ...row } })),
    ...state.logs.map(row => ({ type: 'log' as const, row })),
    ...state.failures.map(failure => ({ type: 'failure' as const, failure })),
    ...run.pastEvents(),
  ]
  return handleOf({ run, facts, writer, feed, warnings })
}

/** The budgets of an attempt, of the run and of the phases that declare one. */
export function budgetOf(facts: AttemptFacts, state: RunState, { clock }: RuntimePorts): Budget {
  const phases = facts.meta.phases ?? []
  return new Budget({
    limits: facts.limits,
    phases: new Map(phases.flatMap(({ title, budget }) => (budget === undefined ? [] : [[title, budget]]))),
    prior: facts.priorUsage,
    priorByPhase: facts.priorByPhase,
    priorMs: facts.priorMs,
    now: () => clock.now(),
    warn: message => state.warn(message),
  })
}

/** What the script engine of an attempt is started with. */
export function sandboxOptions({ script, args, runId, startedAt, limits }: AttemptFacts): SandboxOptions {
  return {
    source: script.source,
    ...(args !== undefined && { args }),
    run: { id: runId, startedAt },
    budgetTotal: limits.outputTokens,
    entries: limits.entries,
    scriptCpuMs: limits.scriptCpuMs,
    scriptMemoryMiB: limits.scriptMemoryMiB,
  }
}
