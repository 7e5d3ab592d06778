import { RunNotFoundError, type RunStore } from '@tutti/runtime'

/** The run of this project with the latest attempt. Throws RunNotFoundError. */
export async function lastRunId(store: RunStore): Promise<string> {
  const [last] = await store.list()
  if (last !== undefined) return last.record.runId
  throw new RunNotFoundError('this project has no runs yet', {
    hint: 'Start one with: tutti run <file|name>. Runs belong to the folder they were started in.',
  })
}
