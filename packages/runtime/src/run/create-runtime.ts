import { WorkflowNotFoundError } from '../errors/errors.ts'
import { builtInAgentTypes } from '../ports/built-in-agent-types.ts'
import type { WorkflowSource } from '../ports/workflow-source.ts'
import { createSchemaCompiler } from '../schema/compile-schema.ts'
import { cpuCount } from '../system/cpu-count.ts'
import { systemClock } from '../system/system-clock.ts'
import { systemRandom } from '../system/system-random.ts'
import { estimateLaunch } from './estimate-launch.ts'
import { forkRun } from './fork-run.ts'
import { launchRun } from './launch-run.ts'
import { defaultLimits, mergeLimits } from './limits.ts'
import { planResume } from './plan-resume.ts'
import { resumeRun } from './resume-run.ts'
import type { RuntimePorts } from './run-context.ts'
import type { Runtime, RuntimeOptions } from './types.ts'

const DEFAULT_STALL_MS = 600_000

/** A runtime; two of them in one process are independent. */
export function createRuntime(options: RuntimeOptions): Runtime {
  const parts = {
    ports: portsOf(options),
    schemas: createSchemaCompiler(),
    limits: mergeLimits(defaultLimits(options.cpus ?? cpuCount()), options.limits),
  }
  return {
    launch: async (script, launch = {}) => await launchRun(parts, script, launch),
    fork: async (runId, fork = {}) => await forkRun(parts, runId, fork),
    estimate: async (script, launch = {}) => await estimateLaunch(parts, script, launch),
    plan: async (runId, resume = {}) => await planResume(parts, runId, resume),
    resume: async (runId, resume = {}) => await resumeRun(parts, runId, resume),
  }
}

function portsOf(options: RuntimeOptions): RuntimePorts {
  return {
    executor: options.executor,
    store: options.store,
    workflows: options.workflows ?? noWorkflows,
    agentTypes: options.agentTypes ?? builtInAgentTypes(),
    clock: options.clock ?? systemClock(),
    random: options.random ?? systemRandom(),
    logger: options.logger ?? { log: () => {} },
    permission: options.permission,
    timeoutMs: options.timeoutMs === 0 ? undefined : options.timeoutMs,
    stallMs: options.stallMs ?? DEFAULT_STALL_MS,
    retries: options.retries,
  }
}

const noWorkflows: WorkflowSource = {
  resolve: async ref => {
    const wanted = 'name' in ref ? `named "${ref.name}"` : `at ${ref.scriptPath}`
    throw new WorkflowNotFoundError(
      `there is no workflow ${wanted}: this runtime was given no workflow source`,
    )
  },
}
