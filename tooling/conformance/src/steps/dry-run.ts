import type { JsonObject } from '@tutti/protocol'
import { startCommand } from './command.ts'
import { nothingHappened, type StepOutcome } from './outcome.ts'
import { refusalOf } from './refusal.ts'
import type { Workspace } from './workspace.ts'

/** What a resume would do, as `tutti resume --dry-run --json` tells. */
export async function planOf(workspace: Workspace, runId: string | undefined): Promise<StepOutcome> {
  const outcome = nothingHappened()
  const started = performance.now()
  const args = ['resume', ...(runId === undefined ? [] : [runId]), '--dry-run', '--json']
  const command = startCommand(args, { workspace, env: {} })
  outcome.exit = await command.exit
  outcome.wallMs = performance.now() - started
  const refusal = outcome.exit === 0 ? undefined : refusalOf(command)
  if (refusal) outcome.refusal = refusal
  else outcome.plan = JSON.parse(command.stdout()) as JsonObject
  return outcome
}
