import type { Case, Step } from '../case/types.ts'
import { findMisses, type Miss } from '../expect/misses.ts'
import { commandRunner } from './command-runner.ts'
import { inProcessRunner } from './in-process.ts'
import type { CaseRunner } from './runner.ts'
import { createWorkspace } from './workspace.ts'

/** What of one step does not hold. */
export interface StepMisses {
  /** From 1. */
  step: number
  kind: string
  misses: Miss[]
}

/** Runs a case in fresh folders; returns the steps that miss something. */
export async function runCase(given: Case): Promise<StepMisses[]> {
  const workspace = createWorkspace(given)
  const files = { ...given.files }
  const setting = { workspace, files, env: given.env ?? {} }
  const runner = needsProcess(given) ? commandRunner(setting) : inProcessRunner(setting)
  try {
    const steps: StepMisses[] = []
    for (const [index, step] of given.steps.entries()) {
      const replaced = (step.launch ?? step.resume)?.files ?? {}
      Object.assign(files, replaced)
      workspace.write(replaced)
      const misses = await runStep(runner, { step, list: () => workspace.list() })
      if (misses.length > 0) steps.push({ step: index + 1, kind: kindOf(step), misses })
    }
    return steps
  } finally {
    await runner.end()
    workspace.remove()
  }
}

async function runStep(runner: CaseRunner, given: { step: Step; list: () => Set<string> }): Promise<Miss[]> {
  const before = given.list()
  try {
    const outcome = await runner.run(given.step)
    outcome.filesCreated = [...given.list()].filter(file => !before.has(file)).length
    return findMisses(given.step.expect, outcome)
  } catch (error) {
    const actual = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return [{ field: 'the step itself', wanted: 'to be done', actual }]
  }
}

/** What one process cannot do to itself: be killed, be stopped from outside, have an exit status. */
function needsProcess({ process, steps }: Case): boolean {
  return (
    process === true ||
    steps.some(({ stop, launch, resume, expect }) => {
      return stop !== undefined || (launch ?? resume)?.sigkill !== undefined || expect.exit !== undefined
    })
  )
}

function kindOf(step: Step): string {
  return step.launch ? 'launch' : step.resume ? 'resume' : 'stop'
}
