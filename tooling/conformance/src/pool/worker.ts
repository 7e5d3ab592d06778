import { readCase, CaseError } from '../case/read-case.ts'
import { runCase, type StepMisses } from '../steps/run-case.ts'

/** What a worker process is asked, and answers. */
export interface Job {
  file: string
}

export interface JobResult {
  ms: number
  steps: StepMisses[]
}

/** Runs the cases that the parent names, one at a time, until the parent goes away. */
export function serveCases(): void {
  process.on('message', (job: Job) => {
    void runJob(job).then(result => process.send?.(result))
  })
  process.on('disconnect', () => process.exit())
}

async function runJob({ file }: Job): Promise<JobResult> {
  const startedAt = performance.now()
  const steps = await attempt(file)
  return { ms: performance.now() - startedAt, steps }
}

async function attempt(file: string): Promise<StepMisses[]> {
  try {
    return await runCase(readCase(file))
  } catch (error) {
    const problems =
      error instanceof CaseError ? error.problems : [String(error instanceof Error ? error.stack : error)]
    return [failure(problems)]
  }
}

/** A case that could not be run. */
export function failure(problems: string[]): StepMisses {
  const misses = problems.map(actual => ({ field: 'the case itself', wanted: 'to be run', actual }))
  return { step: 0, kind: 'case', misses }
}
