import type { JsonValue } from '@tutti/protocol'
import type { RunFlags } from '../command-line/invocation.ts'
import { EXIT } from '../exit-code.ts'
import type { Io } from '../io.ts'
import { estimateText } from '../render/estimate-text.ts'
import { findScript } from '../setup/find-script.ts'
import { openPlanning } from '../setup/planning.ts'
import { launchOptions } from '../setup/run-options.ts'
import { largeRunWarning, sizeGuideline } from '../setup/run-size.ts'
import type { Terminal } from '../terminal.ts'
import { writeOut } from '../write-out.ts'

export interface PlanRunInput {
  script: string
  args: JsonValue | undefined
  flags: RunFlags
}

/** Tells what can be known of a run before it is launched. */
export async function planRun(
  { script, args, flags }: PlanRunInput,
  { io, terminal }: { io: Io; terminal: Terminal },
): Promise<number> {
  const { runtime, workflows, project, backendReason } = await openPlanning(flags, { io, terminal })
  const input = await findScript(script, { cwd: project.cwd, workflows })
  const estimate = await runtime.estimate(input, launchOptions(flags, project, args))
  const guideline = sizeGuideline(project.settings)
  const large =
    largeRunWarning(estimate.firstAgents.length, 'the script asks at once for', guideline) ??
    largeRunWarning(estimate.past?.agents ?? 0, 'earlier runs of this workflow took', guideline)
  const text =
    flags.json === true
      ? `${JSON.stringify(large === undefined ? estimate : { ...estimate, large })}\n`
      : estimateText({ estimate, backendReason, large, colors: terminal.outColors })
  await writeOut(io.stdout, text)
  return EXIT.completed
}
