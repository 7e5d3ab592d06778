import type { ResumeFlags } from '../command-line/program.ts'
import { readScriptArgs } from '../command-line/script-args.ts'
import type { Io } from '../io.ts'
import { readScript } from '../setup/find-script.ts'
import { lastRunId } from '../setup/last-run.ts'
import { limitsOf } from '../setup/project-runtime.ts'
import type { Terminal } from '../terminal.ts'
import { executeRun } from './execute-run.ts'

export interface ResumeInvocation {
  runId?: string
  options: ResumeFlags
}

/** Goes on with a run; what is not given anew comes from its record. */
export async function resumeCommand(
  { runId, options: flags }: ResumeInvocation,
  { io, terminal }: { io: Io; terminal: Terminal },
): Promise<number> {
  const args = await readScriptArgs({ args: flags.args, argsFile: flags.argsFile, pairs: [] }, io.cwd)
  const script = flags.script === undefined ? undefined : await readScript(flags.script, io.cwd)
  return executeRun({
    io,
    terminal,
    flags,
    async start({ runtime, project, toolUseId, backendReason }) {
      const cache = flags.cache ?? project.settings.tutti?.cache
      const handle = await runtime.resume(runId ?? (await lastRunId(project.store)), {
        toolUseId,
        limits: limitsOf(flags),
        ...(script !== undefined && { script }),
        ...(args !== undefined && { args }),
        ...(flags.model !== undefined && { model: flags.model }),
        ...(flags.backend !== undefined && { backend: flags.backend }),
        ...(cache !== undefined && { cache }),
      })
      const { backend } = handle.snapshot()
      const asBefore = flags.backend === undefined && backend !== undefined
      return {
        handle,
        backendReason: asBefore ? `Backend: ${backend}, as the run was started.` : backendReason,
      }
    },
  })
}
