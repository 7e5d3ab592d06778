import { setImmediate as turn } from 'node:timers/promises'
import type { JournalLine } from '@tutti/protocol'
import {
  createRuntime,
  type AgentCall,
  type AgentOutcome,
  type RunEnd,
  type RunHandle,
  type Runtime,
} from '@tutti/runtime'
import { createSeededRandom, type MemoryStore } from '@tutti/runtime/testing'
import { parseEvent, type RawEvent, type TraceEvent } from '../oracle/trace.ts'
import type { Rendered } from '../scripts/render.ts'
import { createHeldAgents, usageOf, type HeldAgent, type HeldAgents } from './held-agents.ts'
import { quiet } from './quiet-threads.ts'
import { createSteppedClock, type SteppedClock } from './stepped-clock.ts'
import { watchedStore } from './watched-store.ts'

/** What ends an attempt early; `after` counts lines (`kill`) or steps of the conductor. */
export type Interruption =
  | { kind: 'kill' | 'stop' | 'breaker' | 'seize'; after: number }
  | { kind: 'limit'; agents: number }

export interface AttemptPlan {
  seed: number
  concurrency: number
  interruption: Interruption | undefined
  /** Lets something happen; called whenever nothing else goes on. */
  conduct: (stage: ConductedStage) => void
  /** How an agent ends that needs no time. */
  atOnce?: (agent: HeldAgent) => AgentOutcome | undefined
  scripts: Rendered
  store: MemoryStore
  /** Lets things happen amid others too; then a seed does not play quite the same again. */
  restless?: boolean
  /** Extra tries of a call; absent: as its cause allows. */
  retries?: number
  /** Absent: a new run. */
  runId?: string
}

/** An attempt as it was seen from outside. */
export interface AttemptReport {
  runId: string
  attempt: number
  limit: number
  trace: TraceEvent[]
  /** Absent when the process died. */
  end: RunEnd | undefined
  started: readonly AgentCall[]
  /** Agents started after a stop was asked for. */
  startedTooLate: number
  /** The journal lines of this attempt. */
  lines: JournalLine[]
}

const STEPS = 20_000
const AGENTS = 120

/** Plays one attempt, to its end or to its interruption. The same plan on the same journal plays the same. */
export async function playAttempt(plan: AttemptPlan): Promise<AttemptReport> {
  const { store, interruption } = plan
  const stage = openStage(plan)
  const limit = interruption?.kind === 'limit' ? interruption.agents : AGENTS
  const limits = { agents: limit }
  const handle =
    plan.runId === undefined
      ? await stage.runtime.launch({ source: plan.scripts.main }, { limits })
      : await stage.runtime.resume(plan.runId, { limits, script: { source: plan.scripts.main } })
  stage.opened(handle)
  const logged = readLog(handle)
  const { end, stoppedAt } = await conduct(plan, stage, handle)
  await quiet()
  const journal = store.journal(handle.runId)
  const attempt = journal.reduce((last, line) => Math.max(last, line.attempt), 0)
  return {
    runId: handle.runId,
    attempt,
    limit,
    trace: returnedTrace(end) ?? logged,
    end,
    started: stage.agents.started,
    startedTooLate: stage.agents.started.length - (stoppedAt ?? stage.agents.started.length),
    lines: journal.filter(line => line.attempt === attempt),
  }
}

/** What a conductor sees. */
export interface ConductedStage {
  agents: HeldAgents
  clock: SteppedClock
}

interface Stage extends ConductedStage {
  runtime: Runtime
  opened(handle: RunHandle): void
  readonly killed: boolean
}

/** Everything around the runtime; kills the process, as far as one can from inside, after the given line. */
function openStage({ store, scripts, concurrency, interruption, seed, retries, atOnce }: AttemptPlan): Stage {
  const agents = createHeldAgents(atOnce)
  const clock = createSteppedClock(1_800_000_000_000)
  let left = interruption?.kind === 'kill' ? interruption.after : Infinity
  let handle: RunHandle | undefined
  let killed = false

  function kill(): void {
    killed = true
    agents.freeze()
    if (handle === undefined) return
    store.kill(handle.runId)
    void handle.stop('killed')
  }

  const runtime = createRuntime({
    executor: agents,
    clock,
    random: createSeededRandom(seed),
    limits: { concurrency },
    stallMs: 0,
    ...(retries !== undefined && { retries }),
    store: watchedStore(store, {
      after(entry) {
        if (entry.type === 'timer') clock.nameNext(entry.name)
        if (--left === 0) kill()
      },
    }),
    workflows: {
      resolve: async ref => ({ source: scripts.children['name' in ref ? ref.name : ref.scriptPath] ?? '' }),
    },
  })
  return {
    runtime,
    agents,
    clock,
    opened: opened => {
      handle = opened
      if (killed) kill()
    },
    get killed() {
      return killed
    },
  }
}

interface Conducted {
  end: RunEnd | undefined
  /** Agents started when a stop was asked for. */
  stoppedAt: number | undefined
}

async function conduct(plan: AttemptPlan, stage: Stage, handle: RunHandle): Promise<Conducted> {
  const { interruption, store } = plan
  let end: RunEnd | undefined
  let stoppedAt: number | undefined
  void handle.result.then(result => (end = result))
  for (let step = 0; step < STEPS; step++) {
    if (plan.restless === true && step % 3 > 0 && stage.agents.inFlight.length > 0) await turn()
    else await quiet()
    if (end !== undefined || stage.killed) return { end, stoppedAt }
    const due = interruption !== undefined && 'after' in interruption && interruption.after === step
    if (due && interruption.kind === 'stop') {
      stoppedAt = stage.agents.started.length
      void handle.stop('told to')
    } else if (due && interruption.kind === 'seize') await (await store.seize(handle.runId)).writer.close()
    const breaking = interruption?.kind === 'breaker' && step >= interruption.after
    if (breaking) for (const agent of stage.agents.inFlight) agent.end(quota)
    plan.conduct(stage)
  }
  throw new Error(`the run ${handle.runId} did not end within ${STEPS} steps`)
}

const quota: AgentOutcome = {
  status: 'failed',
  cause: 'quota',
  message: 'scripted: quota',
  usage: usageOf(0),
  effects: 'none',
}

function returnedTrace(end: RunEnd | undefined): TraceEvent[] | undefined {
  const value = (end?.value ?? end?.partialResult) as { trace?: RawEvent[] } | undefined
  return value?.trace?.map(parseEvent)
}

function readLog(handle: RunHandle): TraceEvent[] {
  const trace: TraceEvent[] = []
  void (async () => {
    for await (const event of handle.events)
      if (event.type === 'log') trace.push(parseEvent(JSON.parse(event.row.message) as RawEvent))
  })()
  return trace
}
