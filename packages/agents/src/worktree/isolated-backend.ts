import type { WorktreeReport } from '@tutti/protocol'
import type { AgentCall, AgentContext, AgentOutcome } from '@tutti/runtime'
import type { Backend } from '../backend.ts'
import { createExecution, type Stage } from '../execution.ts'
import { failedBeforeStart } from '../outcome.ts'
import { enterAlone } from './one-at-a-time.ts'
import { reopenTree } from './reopen-tree.ts'
import { findRepository, type Repository } from './repository.ts'
import { finishTree, makeTree, type Tree } from './tree.ts'

export interface IsolationOptions {
  /** Its repository is where the trees come from. */
  projectRoot: string
  env: Record<string, string | undefined>
}

/** An agent that was told to end has two seconds; putting its tree away must not take them all. */
const LATE_MS = 1200

/** One that waits for another to leave its tree has not stalled. */
const WAITING_MS = 10_000

/**
 * Gives each call with `isolation` a git worktree of its own, new or that of an earlier agent, in which the backend
 * works as if it were the project. Of several in one tree only one works at a time. The backend must respect
 * `context.projectRoot`. Other calls pass through.
 */
export function isolatedBackend(backend: Backend, options: IsolationOptions): Backend {
  let repository: Promise<Repository> | undefined

  async function perform(call: AgentCall, context: AgentContext, stage: Stage): Promise<AgentOutcome> {
    const { signal } = stage
    let place: Place
    try {
      repository ??= findRepository(options.projectRoot, options.env)
      place = await placeFor(await repository, call, stage)
    } catch (error) {
      repository = undefined
      if (signal.aborted) return failedBeforeStart('stopped', 'stopped before it started')
      return failedBeforeStart('isolation_failed', messageOf(error))
    }
    const { path, base } = place.tree
    stage.emit({ type: 'worktree', worktree: { path, base } })
    const outcome = await runIn(place.tree, { backend, call, context, stage })
    return { ...outcome, ...(await putAway(place, { outcome, signal })) }
  }

  return {
    start: (call, context) =>
      call.isolation === undefined
        ? backend.start(call, context)
        : createExecution(context, stage => perform(call, context, stage)),
  }
}

interface Place {
  repository: Repository
  tree: Tree
  leave(): void
}

async function placeFor(repository: Repository, call: AgentCall, { signal, emit }: Stage): Promise<Place> {
  if (typeof call.isolation !== 'object') {
    const tree = await makeTree(repository, call, signal)
    // Nobody is there. Stopped meanwhile it goes on all the same, so that the tree is put away.
    return { repository, tree, leave: await enterAlone(tree.path, new AbortController().signal) }
  }
  const { from } = call.isolation
  const waiting = setInterval(() => emit({ type: 'activity' }), WAITING_MS).unref()
  const leave = await enterAlone(from.path, signal).finally(() => clearInterval(waiting))
  try {
    return { repository, tree: await reopenTree(repository, from), leave }
  } catch (error) {
    leave()
    throw error
  }
}

interface Inner {
  backend: Backend
  call: AgentCall
  context: AgentContext
  stage: Stage
}

async function runIn(tree: Tree, { backend, call, context, stage }: Inner): Promise<AgentOutcome> {
  try {
    const execution = backend.start(call, {
      ...context,
      signal: stage.signal,
      projectRoot: tree.projectRoot,
    })
    for await (const event of execution.events) stage.emit(event)
    return await execution.result
  } catch (error) {
    return failedBeforeStart('crashed', messageOf(error), 'unknown')
  }
}

interface Ended {
  outcome: AgentOutcome
  signal: AbortSignal
}

/** What the tree changes of the outcome. A tree that cannot be looked at is kept. */
async function putAway(
  { repository, tree, leave }: Place,
  { outcome, signal }: Ended,
): Promise<Pick<AgentOutcome, 'effects' | 'worktree'>> {
  const effects = outcome.effects === 'none' ? 'none' : 'isolated'
  const kept: WorktreeReport = { path: tree.path, base: tree.base, files: [] }
  const finished = finishTree(repository, tree)
    .catch((error: unknown): WorktreeReport => ({ ...kept, problem: messageOf(error) }))
    .finally(leave)
  const late = signal.aborted
    ? after(LATE_MS).then(() => ({ ...kept, problem: 'stopped meanwhile' }))
    : finished
  const report = await Promise.race([finished, late])
  return { effects, ...(report && { worktree: report }) }
}

function after(ms: number): Promise<void> {
  return new Promise(resolve => void setTimeout(resolve, ms).unref())
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
