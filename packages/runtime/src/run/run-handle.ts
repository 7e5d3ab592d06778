import type { RunWriter } from '../ports/run-store.ts'
import type { EventFeed } from './event-feed.ts'
import type { Run } from './run.ts'
import type { AttemptFacts } from './run-record.ts'
import type { RunHandle } from './types.ts'

export interface HandleParts {
  run: Run
  facts: AttemptFacts
  writer: RunWriter
  feed: EventFeed
  warnings: string[]
}

/** What a caller holds of a run. */
export function handleOf({ run, facts, writer, feed, warnings }: HandleParts): RunHandle {
  return {
    runId: facts.runId,
    taskId: facts.taskId,
    name: facts.meta.name,
    description: facts.meta.description,
    locations: writer.locations,
    warnings,
    events: feed.read(),
    result: run.result,
    snapshot: () => run.snapshot(),
    stop: async (reason = 'stopped by a person') => await run.stop(reason),
    skip: labelOrIndex => run.skip(labelOrIndex),
    retry: (labelOrIndex, options) => run.retry(labelOrIndex, options),
  }
}
