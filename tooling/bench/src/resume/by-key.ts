import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { createRuntime, type AgentExecutor, type AgentOutcome } from '@tutti/runtime'
import { openStore } from '@tutti/storage'
import { scriptOf } from '../samples/spec.ts'
import { CONCURRENCY, jitter, type Attempt, type Experiment } from './experiment.ts'

/** An attempt of the runtime, for a process of its own. */
export interface AttemptSpec {
  experiment: Experiment
  root: string
  attempt: number
  /** The run to resume; absent in the first attempt. */
  runId?: string
}

export const ATTEMPT_FLAG = '--attempt'

/** In the child: makes the attempt, and dies in the middle when the experiment says so. */
export async function serveAttempt(text: string): Promise<void> {
  const { experiment, root, attempt, runId } = JSON.parse(text) as AttemptSpec
  const runtime = createRuntime({
    executor: jitteryExecutor(experiment, attempt),
    store: openStore({ root, cwd: root }),
  })
  const limits = { concurrency: CONCURRENCY, agents: experiment.agents, entries: experiment.agents }
  const handle =
    runId === undefined
      ? await runtime.launch({ source: scriptOf(experiment) }, { limits, cwd: root })
      : await runtime.resume(runId, { limits })
  const { status, dispatched, error } = await handle.result
  if (status !== 'completed') throw new Error(`the run ended as ${status}: ${error?.message}`)
  console.log(JSON.stringify({ live: dispatched } satisfies Attempt))
}

/** Makes an attempt in a fresh process, which may die of it. */
export async function attemptByKey(spec: AttemptSpec): Promise<Attempt & { runId: string }> {
  const args = [process.argv[1] ?? '', ATTEMPT_FLAG, JSON.stringify(spec)]
  const dies = spec.experiment.killAt !== undefined && spec.runId === undefined
  const printed = await promisify(execFile)(process.execPath, args).catch((error: unknown) => {
    if (dies && (error as { signal?: string }).signal === 'SIGKILL') return undefined
    throw error
  })
  const store = openStore({ root: spec.root, cwd: spec.root })
  const [summary] = await store.list()
  if (summary === undefined) throw new Error('the attempt left no run behind')
  const { runId } = summary.record
  if (printed !== undefined) return { ...(JSON.parse(printed.stdout) as Attempt), runId }
  const { journal } = await store.load(runId)
  return { live: journal.filter(line => line.type === 'started').length, runId }
}

const usage = { input: 0, output: 1, cacheRead: 0, cacheWrite: 0, toolUses: 0, durationMs: 1 }

/** Agents that take a moment and do not say what effects they had: the strictest case for a cache. */
function jitteryExecutor(experiment: Experiment, attempt: number): AgentExecutor {
  let ended = 0
  const end = (prompt: string): AgentOutcome => {
    if (++ended === experiment.killAt && attempt === 1) process.kill(process.pid, 'SIGKILL')
    const common = { usage, effects: 'unknown' as const }
    if (attempt === 1 && prompt === experiment.failing) {
      return { status: 'failed', cause: 'refused', message: 'fails once', ...common }
    }
    return { status: 'ok', value: prompt, ...common }
  }
  return {
    backendOf: () => 'jittery',
    capabilities: () => ({ schema: 'loop', usage: 'exact', maxTurns: true, isolation: true }),
    start: ({ prompt }) => ({
      events: silence(),
      result: new Promise(resolve =>
        setTimeout(() => resolve(end(prompt)), jitter(experiment, attempt, prompt)),
      ),
      cancel() {},
    }),
  }
}

async function* silence(): AsyncGenerator<never> {}
