import type { RunFlags } from '../command-line/invocation.ts'
import { readScriptArgs } from '../command-line/script-args.ts'
import type { Io } from '../io.ts'
import { hasCostBudget, requireCountedCost } from '../setup/counted-cost.ts'
import { findScript } from '../setup/find-script.ts'
import { launchOptions } from '../setup/run-options.ts'
import type { Terminal } from '../terminal.ts'
import { executeRun } from './execute-run.ts'

export interface RunInvocation {
  script: string
  pairs: string[]
  options: RunFlags
}

/** Runs a script to its end, or tells what it would ask for. */
export async function runCommand(
  { script, pairs, options: flags }: RunInvocation,
  { io, terminal }: { io: Io; terminal: Terminal },
): Promise<number> {
  const args = await readScriptArgs({ args: flags.args, argsFile: flags.argsFile, pairs }, io.cwd)
  if (flags.plan === true) {
    return (await import('./plan-run.ts')).planRun({ script, args, flags }, { io, terminal })
  }
  return executeRun({
    io,
    terminal,
    flags,
    mayAsk: true,
    async start({ runtime, workflows, project, toolUseId, backend, backendReason, requireBackend }) {
      requireBackend()
      if (hasCostBudget(flags, project)) {
        await requireCountedCost(project, { backend, model: flags.model ?? project.settings.model })
      }
      const input = await findScript(script, { cwd: project.cwd, workflows })
      const options = {
        ...launchOptions(flags, project, args),
        toolUseId,
        ...(flags.session !== undefined && { sessionId: flags.session }),
      }
      if (flags.reuse === undefined) return { handle: await runtime.launch(input, options), backendReason }
      const { openReuse, reuseText } = await import('../setup/open-reuse.ts')
      const reuse = await openReuse(flags.reuse, project)
      const handle = await runtime.launch(input, { ...options, reuse })
      return { handle, backendReason, notes: [reuseText(reuse)], reused: true }
    },
  })
}
