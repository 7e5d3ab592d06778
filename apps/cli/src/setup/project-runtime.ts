import { availableParallelism } from 'node:os'
import type { RunLimits, Settings } from '@tutti/protocol'
import {
  backendProblem,
  chooseDefaultBackend,
  createBackends,
  createExecutor,
  type BackendsOptions,
  sandboxProblem,
  type ProcessGroups,
} from '@tutti/agents'
import {
  createRuntime,
  type AgentTypes,
  type AskPermission,
  type Clock,
  type Random,
  type Runtime,
} from '@tutti/runtime'
import { createScrubber, scrubExecutor } from '@tutti/session'
import { openAgentTypes, openWorkflows, type SavedWorkflows } from '@tutti/storage'
import type { ExecutionFlags } from '../command-line/invocation.ts'
import { UsageError } from '../usage-error.ts'
import type { Project } from './project.ts'
import { tellDenials } from './tell-denials.ts'

export interface ProjectRuntime {
  runtime: Runtime
  workflows: SavedWorkflows
  /** The backend that runs calls that name none. */
  backend: string
  /** Why it is that one, for people. */
  backendReason: string
  /** Throws UsageError when that backend can run nothing here. */
  requireBackend(): void
}

export interface ProjectRuntimeOptions {
  flags: Pick<ExecutionFlags, 'backend' | 'allowShell'>
  groups: ProcessGroups
  clock: Clock
  random: Random
  /** Shared with a chat on the same account. */
  governor?: BackendsOptions['governor']
  /** Default: those of the project's and the user's files. */
  agentTypes?: AgentTypes
  /** Asks a person about tools; absent: nobody is there. */
  permission?: AskPermission
  /** Tells what agents were not allowed to do. */
  onDenied?(text: string): void
}

/** A runtime over the project's store, settings, workflows and agent types. Backends are loaded when used. */
export function createProjectRuntime(project: Project, options: ProjectRuntimeOptions): ProjectRuntime {
  const { cwd, root, env, settings, store } = project
  const { flags, groups, clock, random, permission, onDenied, agentTypes, governor } = options
  requireSandbox(settings, env)
  const { concurrency, limits, timeoutMs, stallMs, retries, prices } = settings.tutti ?? {}
  const chosen =
    flags.backend === undefined
      ? chooseDefaultBackend(env, settings)
      : { name: flags.backend, reason: `Backend: ${flags.backend}, chosen with --backend.` }
  const backends = createBackends({
    env,
    projectRoot: cwd,
    settings,
    groups,
    clock,
    ...(governor && { governor }),
    ...(flags.allowShell !== undefined && { allowShell: flags.allowShell }),
  })
  const workflows = openWorkflows({ cwd, root })
  const executor = scrubExecutor(
    createExecutor({ backends, default: chosen.name, ...(prices && { prices }) }),
    createScrubber(env, settings),
  )
  const runtime = createRuntime({
    executor: onDenied ? tellDenials(executor, onDenied) : executor,
    store,
    workflows,
    agentTypes: agentTypes ?? openAgentTypes({ cwd, root }),
    clock,
    random,
    cpus: availableParallelism(),
    ...(permission && { permission }),
    limits: { ...limits, ...(concurrency !== undefined && { concurrency }) },
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(stallMs !== undefined && { stallMs }),
    ...(retries !== undefined && { retries }),
  })
  const requireBackend = (): void => {
    const problem = backendProblem(chosen.name, env, settings)
    if (problem !== undefined) throw notReady(problem)
  }
  // Given for this command, it is the one also where a record names another.
  if (flags.backend !== undefined) requireBackend()
  return { runtime, workflows, backend: chosen.name, backendReason: chosen.reason, requireBackend }
}

/** Before anything is spent. */
function requireSandbox({ tutti }: Settings, env: Project['env']): void {
  const problem = sandboxProblem(tutti?.sandbox, env)
  if (problem === undefined) return
  throw new UsageError(
    problem,
    'tutti doctor tells more; "auto" confines commands only where that is possible.',
    'sandbox-unavailable',
  )
}

function notReady(problem: string): UsageError {
  return new UsageError(
    problem,
    'tutti doctor tells what can be used here and what is missing; --backend simulate tries the script without any.',
    'backend-not-ready',
  )
}

/** Limits as the flags give them. */
export function limitsOf(flags: ExecutionFlags): Partial<RunLimits> {
  const given = {
    concurrency: flags.concurrency,
    agents: flags.maxAgents,
    outputTokens: flags.budget,
    tokens: flags.budgetTokens,
    costUsd: flags.budgetCost,
    wallMs: flags.budgetTime,
    scriptCpuMs: flags.scriptCpuMs,
    scriptMemoryMiB: flags.scriptMemoryMib,
  }
  return Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, value === 'none' ? null : value]),
  )
}
