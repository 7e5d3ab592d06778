import type { JsonValue } from '@tutti/protocol'
import type { RetryRequest, ScriptInput } from '@tutti/runtime'
import type { ExecutionFlags } from '../command-line/invocation.ts'
import { EXIT } from '../exit-code.ts'
import type { Io } from '../io.ts'
import { planText } from '../render/plan-text.ts'
import { lastRunId } from '../setup/last-run.ts'
import { openPlanning } from '../setup/planning.ts'
import { resumeOptions } from '../setup/run-options.ts'
import type { Terminal } from '../terminal.ts'
import { writeOut } from '../write-out.ts'

export interface PlanResumeInput {
  runId: string | undefined
  args: JsonValue | undefined
  script: ScriptInput | undefined
  flags: ExecutionFlags
  /** A call that is to run again. */
  again?: RetryRequest
}

/** Tells what a resume, or a retry, would run again, and why. Nothing is dispatched or written. */
export async function planResume(
  { runId, args, script, flags, again }: PlanResumeInput,
  { io, terminal }: { io: Io; terminal: Terminal },
): Promise<number> {
  const { runtime, project } = await openPlanning(flags, { io, terminal })
  const id = runId ?? (await lastRunId(project))
  const options = resumeOptions(flags, project, { args, script })
  const plan = await runtime.plan(id, { ...options, ...(again && { again }) })
  await writeOut(
    io.stdout,
    flags.json === true ? `${JSON.stringify(plan)}\n` : await planText(plan, terminal.outColors),
  )
  return EXIT.completed
}
