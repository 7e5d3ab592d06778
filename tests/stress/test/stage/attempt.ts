import type { JournalLine } from '@tutti/protocol'
import { createRuntime, type AgentCall, type AgentOutcome, type RunEnd, type RunHandle, type Runtime } from '@tutti/runtime'
import { createSeededRandom, type MemoryStore } from '@tutti/runtime/testing'
import { parseTrace, type TraceEvent } from '../oracle/trace.ts'
import type { Rendered } from '../scripts/render.ts'
import { createHeldAgents, usageOf, type HeldAgent, type HeldAgents } from './held-agents.ts'
import { quiet } from './quiet-threads.ts'
import { seededNumbers } from './seeded-numbers.ts'
import { createSteppedClock, type SteppedClock } from './stepped-clock.ts'
import { watchedStore } from './watched-store.ts'

/** What ends an attempt early; `after` counts lines (`kill`) or steps of the conductor. */
export type Interruption =
  | { kind: 'kill' | 'stop' | 'breaker' | 'seize'; after: number }
  | { kind: 'limit'; agents: number }

export interface AttemptPlan {
  /** Of the order in which agents end and timers fire. */
  seed: number
  concurrency: number
  interruption: Interruption | undefined
  outcome: (agent: HeldAgent) => AgentOutcome
  scripts: Rendered
  store: MemoryStore
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
  /** The journal lines of this attempt. */
  lines: JournalLine[]
}

let steps = 0
const STEPS = 20_000
const AGENTS = 120

/** Plays one attempt, to its end or to its interruption. The same plan on the same journal plays the same. */
export async function playAttempt(plan: AttemptPlan): Promise<AttemptReport> {
  const { store, interruption } = plan
  const T0 = Date.now()
  const stage = openStage(plan)
  const limit = interruption?.kind === 'limit' ? interruption.agents : AGENTS
  const limits = { agents: limit }
  const handle =
    plan.runId === undefined
      ? await stage.runtime.launch({ source: plan.scripts.main }, { limits })
      : await stage.runtime.resume(plan.runId, { limits, script: { source: plan.scripts.main } })
  stage.opened(handle)
  const trace = readTrace(handle)
  const t0 = Date.now()
  const end = await conduct(plan, stage, handle)
  if (process.env.PROF) console.log('conduct', Date.now() - t0, 'open', t0 - T0, trace.length, steps)
  await quiet()
  const journal = store.journal(handle.runId)
  const attempt = journal.reduce((last, line) => Math.max(last, line.attempt), 0)
  return {
    runId: handle.runId,
    attempt,
    limit,
    trace,
    end,
    started: stage.agents.started,
    lines: journal.filter(line => line.attempt === attempt),
  }
}

interface Stage {
  runtime: Runtime
  agents: HeldAgents
  clock: SteppedClock
  opened(handle: RunHandle): void
  readonly killed: boolean
}

/** Everything around the runtime; kills the process, as far as one can from inside, after the given line. */
function openStage({ store, scripts, concurrency, interruption, seed }: AttemptPlan): Stage {
  const agents = createHeldAgents()
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

/** Ends agents and fires timers, one or a few at a time, whenever nothing else goes on. */
async function conduct(plan: AttemptPlan, stage: Stage, handle: RunHandle): Promise<RunEnd | undefined> {
  const { interruption, outcome, store } = plan
  const numbers = seededNumbers(plan.seed)
  let end: RunEnd | undefined
  void handle.result.then(result => (end = result))
  for (let step = 0; step < STEPS; step++) {
    steps = step
    await quiet()
    if (end !== undefined || stage.killed) return end
    const due = interruption !== undefined && 'after' in interruption && interruption.after === step
    if (due && interruption.kind === 'stop') void handle.stop('told to')
    else if (due && interruption.kind === 'seize') await (await store.seize(handle.runId)).writer.close()
    const breaking = interruption?.kind === 'breaker' && step >= interruption.after
    const { inFlight } = stage.agents
    if (inFlight.length === 0 || numbers.below(6) === 0) stage.clock.fireEarliest()
    else for (const agent of some(inFlight, numbers)) agent.end(breaking ? quota : outcome(agent))
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

/** Mostly one of the agents, sometimes up to three. */
function some(agents: readonly HeldAgent[], numbers: ReturnType<typeof seededNumbers>): HeldAgent[] {
  const count = numbers.pick([1, 1, 1, 2, 3])
  return Array.from({ length: count }, () => numbers.pick(agents))
}

function readTrace(handle: RunHandle): TraceEvent[] {
  const trace: TraceEvent[] = []
  void (async () => {
    for await (const event of handle.events) if (event.type === 'log') trace.push(parseTrace(event.row.message))
  })()
  return trace
}
