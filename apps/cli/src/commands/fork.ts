import type { RunRecord } from '@tutti/protocol'
import type { ForkFlags } from '../command-line/invocation.ts'
import { readScriptArgs } from '../command-line/script-args.ts'
import type { Io } from '../io.ts'
import { hasCostBudget, requireCountedCost } from '../setup/counted-cost.ts'
import { readScript } from '../setup/find-script.ts'
import { resumeOptions } from '../setup/run-options.ts'
import type { Terminal } from '../terminal.ts'
import { executeRun } from './execute-run.ts'
import { costOfBefore, reasonOfBefore } from './started-run.ts'

export interface ForkInvocation {
  runId: string
  pairs: string[]
  options: ForkFlags
}

/** Starts a new run from the results of another one. */
export async function forkCommand(
  { runId, pairs, options: flags }: ForkInvocation,
  { io, terminal }: { io: Io; terminal: Terminal },
): Promise<number> {
  const args = await readScriptArgs({ args: flags.args, argsFile: flags.argsFile, pairs }, io.cwd)
  const script = flags.script === undefined ? undefined : await readScript(flags.script, io.cwd)
  return executeRun({
    io,
    terminal,
    flags,
    async start({ runtime, project, toolUseId, backend, backendReason }) {
      const { record } = await project.store.load(runId)
      if (hasCostBudget(flags, project)) {
        await requireCountedCost(project, costOfBefore(record, flags, backend))
      }
      const handle = await runtime.fork(runId, {
        ...resumeOptions(flags, project, { args, script }),
        toolUseId,
        ...(flags.at !== undefined && { at: flags.at }),
      })
      return {
        handle,
        backendReason: reasonOfBefore(handle, flags) ?? backendReason,
        notes: [forkText(record, flags.at)],
      }
    },
  })
}

/** From where a fork starts. */
function forkText(record: RunRecord, at: string | number | undefined): string {
  const whole = `Fork of ${record.runId}`
  if (at === undefined) return `${whole}: all of its results are taken.`
  const row = record.progress
    .filter(one => one.type === 'workflow_agent')
    .find(({ index, label }) => index === at || label === at)
  const call = row === undefined ? String(at) : `${row.label} (call ${row.index})`
  return `${whole} at ${call}: results of the calls before it are taken, it and all after it run anew.`
}
