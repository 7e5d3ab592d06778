import type { RetryFlags } from '../command-line/invocation.ts'
import { readScriptArgs } from '../command-line/script-args.ts'
import type { Io } from '../io.ts'
import type { Project } from '../setup/project.ts'
import { hasCostBudget, requireCountedCost } from '../setup/counted-cost.ts'
import { resumeOptions } from '../setup/run-options.ts'
import type { Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'
import { executeRun } from './execute-run.ts'
import { costOfBefore, reasonOfBefore } from './started-run.ts'

export interface RetryInvocation {
  runId: string
  /** Label or number. */
  call: string | number
  options: RetryFlags
}

/**
 * Goes on with a run and lets one of its agents work again, from its start or where it was interrupted; or tells what
 * that would do.
 */
export async function retryCommand(
  { runId, call, options: flags }: RetryInvocation,
  { io, terminal }: { io: Io; terminal: Terminal },
): Promise<number> {
  const args = await readScriptArgs({ args: flags.args, argsFile: flags.argsFile, pairs: [] }, io.cwd)
  const goesOn = flags.continue === true
  const again = { call, continue: goesOn }
  if (flags.dryRun === true) {
    const { planResume } = await import('./plan-resume.ts')
    return planResume({ runId, args, script: undefined, flags, again }, { io, terminal })
  }
  return executeRun({
    io,
    terminal,
    flags,
    async start({ runtime, project, toolUseId, backend, backendReason }) {
      await refuseWhileItRuns(runId, project)
      if (hasCostBudget(flags, project)) {
        const { record } = await project.store.load(runId)
        await requireCountedCost(project, costOfBefore(record, flags, backend))
      }
      const handle = await runtime.resume(runId, {
        ...resumeOptions(flags, project, { args, script: undefined }),
        toolUseId,
        again,
      })
      const how = goesOn ? 'goes on with its own conversation' : 'begins anew'
      return {
        handle,
        backendReason: reasonOfBefore(handle, flags) ?? backendReason,
        notes: [`Retry of call ${JSON.stringify(call)}: it ${how}; finished agents keep their results.`],
      }
    },
  })
}

/** Its agents are in the hands of the process that runs it, which hears of no other. */
async function refuseWhileItRuns(runId: string, { store }: Project): Promise<void> {
  const owner = await store.owner(runId)
  if (owner?.alive !== true) return
  const where = owner.local ? '' : ` on ${owner.host}`
  throw new UsageError(
    `run ${runId} is still running, in process ${owner.pid}${where}; its agents cannot be reached from here`,
    `Wait until it has ended, or stop it: tutti stop ${runId}. Then retry.`,
    'run-is-owned',
  )
}
