import type { RunFlags } from '../command-line/program.ts'
import { readScriptArgs } from '../command-line/script-args.ts'
import type { Io } from '../io.ts'
import { findScript } from '../setup/find-script.ts'
import { limitsOf } from '../setup/project-runtime.ts'
import type { Terminal } from '../terminal.ts'
import { executeRun } from './execute-run.ts'

export interface RunInvocation {
  script: string
  pairs: string[]
  options: RunFlags
}

/** Runs a script to its end. */
export async function runCommand(
  { script, pairs, options: flags }: RunInvocation,
  { io, terminal }: { io: Io; terminal: Terminal },
): Promise<number> {
  const args = await readScriptArgs({ args: flags.args, argsFile: flags.argsFile, pairs }, io.cwd)
  return executeRun({
    io,
    terminal,
    flags,
    async start({ runtime, workflows, project, toolUseId, backendReason }) {
      const { settings, cwd } = project
      const model = flags.model ?? settings.model
      const cache = flags.cache ?? settings.tutti?.cache
      const handle = await runtime.launch(await findScript(script, { cwd, workflows }), {
        cwd,
        toolUseId,
        limits: limitsOf(flags),
        ...(args !== undefined && { args }),
        ...(model !== undefined && { model }),
        ...(flags.backend !== undefined && { backend: flags.backend }),
        ...(flags.session !== undefined && { sessionId: flags.session }),
        ...(cache !== undefined && { cache }),
      })
      return { handle, backendReason }
    },
  })
}
