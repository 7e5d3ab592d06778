import { setTimeout as wait } from 'node:timers/promises'
import type { JsonObject } from '@tutti/protocol'
import {
  isTuttiError,
  type ReplayPlan,
  type ResumeOptions,
  type RunEnd,
  type RunHandle,
} from '@tutti/runtime'
import { join } from 'node:path'
import type { RunStep, Step } from '../case/types.ts'
import { sameJson } from '../expect/equal.ts'
import { journalFeed } from '../observe/journal-feed.ts'
import { observeExecutor } from '../observe/observe-executor.ts'
import { observeStore } from '../observe/observe-store.ts'
import { Observations } from '../observe/observations.ts'
import { missingEntries } from './check-table.ts'
import { hostIsAlive } from './host-alive.ts'
import { nothingHappened, type StepOutcome } from './outcome.ts'
import { lastSeq, readRun } from './read-run.ts'
import type { CaseRunner, CaseSetting } from './runner.ts'
import { wireWords } from './wire-words.ts'
import { assemble, fileStore, scriptedExecutor } from './wiring.ts'

const BACKGROUND_MS = 2_000
const DEFAULT_CONCURRENCY = 16

/** Runs the steps through the public API, each on a runtime and a store of its own. */
export function inProcessRunner({ workspace, files }: CaseSetting): CaseRunner {
  const live: RunHandle[] = []
  let lastRun: string | undefined

  return { run, end }

  async function run(step: Step): Promise<StepOutcome> {
    const asked = step.launch ?? step.resume ?? {}
    const outcome = nothingHappened()
    const observations = new Observations()
    const feed = journalFeed({ settled: label => observations.settle(label) })
    const store = fileStore(workspace)
    const runtime = assemble({
      workspace,
      store: observeStore(store, entry => feed.see(entry)),
      executor: observeExecutor(scriptedExecutor(asked.agents ?? {}), observations),
    })
    const runId = asked.runId ?? lastRun
    const after = step.resume && runId !== undefined ? await lastSeq(store, runId) : 0
    const startedAt = performance.now()
    try {
      if (asked.dryRun === true) outcome.plan = asJson(await runtime.plan(runId ?? '', options()))
      else await follow(await begin())
    } catch (error) {
      if (!isTuttiError(error)) throw error
      outcome.refusal = { code: error.code, message: error.message }
    }
    if (outcome.wallMs === 0) outcome.wallMs = performance.now() - startedAt
    outcome.dispatched = { ...observations.dispatched }
    outcome.maxInFlight = observations.maxInFlight
    outcome.problems.push(...missingEntries(asked.agents ?? {}, outcome.dispatched))
    if (step.expect.hostAlive !== undefined) outcome.hostAlive = await hostIsAlive()
    return outcome

    function begin(): Promise<RunHandle> {
      if (step.resume) return runtime.resume(runId ?? '', options())
      const script = { source: files['main.js'] ?? '', path: join(workspace.work, 'main.js') }
      const limits = { concurrency: DEFAULT_CONCURRENCY, ...asked.limits }
      return runtime.launch(script, { ...options(), limits, cwd: workspace.work })
    }

    function options(): ResumeOptions {
      const { args, limits = {} } = asked
      return { limits, ...(args === undefined ? {} : { args }) }
    }

    async function follow(handle: RunHandle): Promise<void> {
      lastRun = handle.runId
      live.push(handle)
      const wire = step.expect.wireOrder ? wireWords(handle) : undefined
      const troubles = act(handle, { asked, observations })
      const end = await (asked.background === true ? settledOrRunning(handle, observations) : handle.result)
      outcome.wallMs = performance.now() - startedAt
      if (asked.background === true) outcome.running = end === undefined
      Object.assign(outcome, await readRun(store, { runId: handle.runId, after }))
      if (wire && end) outcome.wire = await wire
      if (end) outcome.problems.push(...troubles, ...disagreements(end, outcome))
    }
  }

  async function end(): Promise<void> {
    await Promise.all(live.map(handle => handle.stop('the case is over')))
  }
}

/** As it would be written: a plan has optional fields, which JSON does not know. */
function asJson(plan: ReplayPlan): JsonObject {
  return JSON.parse(JSON.stringify(plan)) as JsonObject
}

/** Stops or skips when the step says so; what could not be done is added to the list that is returned. */
function act(handle: RunHandle, step: { asked: RunStep; observations: Observations }): string[] {
  const troubles: string[] = []
  const { asked, observations } = step
  const stop = (): unknown => handle.stop('asked for by the case')
  if (asked.stop && 'settled' in asked.stop) void observations.settledAll(asked.stop.settled).then(stop)
  else if (asked.stop)
    void observations
      .firstDispatch()
      .then(() => wait(afterMs(asked.stop)))
      .then(stop)
  if (asked.skip !== undefined) void skipOnceRunning(handle, { label: asked.skip, troubles })
  return troubles
}

async function skipOnceRunning(
  handle: RunHandle,
  wanted: { label: string; troubles: string[] },
): Promise<void> {
  for await (const event of handle.events) {
    if (event.type !== 'agent' || event.row.label !== wanted.label || event.row.state !== 'start') continue
    if (!handle.skip(wanted.label)) wanted.troubles.push(`skip('${wanted.label}') found no such agent`)
    return
  }
  wanted.troubles.push(`no agent \`${wanted.label}\` ran that could be skipped`)
}

function afterMs(stop: RunStep['stop']): number {
  return stop && 'afterMs' in stop ? stop.afterMs : 0
}

async function settledOrRunning(handle: RunHandle, observations: Observations): Promise<RunEnd | undefined> {
  const running = Promise.race([observations.firstDispatch(), wait(BACKGROUND_MS)]).then(() => undefined)
  return await Promise.race([handle.result, running])
}

/** Where the end that the handle tells differs from the files. */
function disagreements(end: RunEnd, outcome: StepOutcome): string[] {
  const told: Record<string, unknown> = {
    status: end.status,
    degraded: end.degraded,
    census: end.record.census,
  }
  const read: Record<string, unknown> = {
    status: outcome.status,
    degraded: outcome.degraded,
    census: outcome.census,
  }
  told['result'] = end.value ?? end.partialResult
  read['result'] = outcome.result
  return Object.keys(told)
    .filter(field => !sameJson(told[field] ?? null, read[field] ?? null))
    .map(field => `${field}: the handle says ${inline(told[field])}, the files say ${inline(read[field])}`)
}

function inline(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing'
}
