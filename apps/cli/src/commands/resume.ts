import type { ResumeFlags } from '../command-line/invocation.ts'
import { readScriptArgs } from '../command-line/script-args.ts'
import type { Io } from '../io.ts'
import { hasCostBudget, requireCountedCost } from '../setup/counted-cost.ts'
import { readScript } from '../setup/find-script.ts'
import { lastRunId } from '../setup/last-run.ts'
import { resumeOptions } from '../setup/run-options.ts'
import type { Terminal } from '../terminal.ts'
import { executeRun } from './execute-run.ts'
import { costOfBefore, reasonOfBefore } from './started-run.ts'

export interface ResumeInvocation {
  runId?: string
  pairs: string[]
  options: ResumeFlags
}

/** Goes on with a run, or tells what that would do; what is not given anew comes from its record. */
export async function resumeCommand(
  { runId, pairs, options: flags }: ResumeInvocation,
  { io, terminal }: { io: Io; terminal: Terminal },
): Promise<number> {
  const args = await readScriptArgs({ args: flags.args, argsFile: flags.argsFile, pairs }, io.cwd)
  const script = flags.script === undefined ? undefined : await readScript(flags.script, io.cwd)
  if (flags.dryRun === true) {
    return (await import('./plan-resume.ts')).planResume({ runId, args, script, flags }, { io, terminal })
  }
  return executeRun({
    io,
    terminal,
    flags,
    async start({ runtime, project, toolUseId, backend, backendReason }) {
      const id = runId ?? (await lastRunId(project))
      if (hasCostBudget(flags, project)) {
        const { record } = await project.store.load(id)
        await requireCountedCost(project, costOfBefore(record, flags, backend))
      }
      const options = resumeOptions(flags, project, { args, script })
      const handle = await runtime.resume(id, { ...options, toolUseId })
      return { handle, backendReason: reasonOfBefore(handle, flags) ?? backendReason }
    },
  })
}
