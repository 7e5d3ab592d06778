import type { JsonValue } from '@tutti/protocol'
import type { ScriptInput } from '@tutti/runtime'
import type { ResumeFlags } from '../command-line/invocation.ts'
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
  flags: ResumeFlags
}

/** Tells what a resume would run again, and why. Nothing is dispatched or written. */
export async function planResume(
  { runId, args, script, flags }: PlanResumeInput,
  { io, terminal }: { io: Io; terminal: Terminal },
): Promise<number> {
  const { runtime, project } = await openPlanning(flags, { io, terminal })
  const id = runId ?? (await lastRunId(project))
  const plan = await runtime.plan(id, resumeOptions(flags, project, { args, script }))
  await writeOut(
    io.stdout,
    flags.json === true ? `${JSON.stringify(plan)}\n` : await planText(plan, terminal.outColors),
  )
  return EXIT.completed
}
