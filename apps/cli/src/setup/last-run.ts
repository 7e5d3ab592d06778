import type { RunRecord } from '@tutti/protocol'
import { JournalError, RunNotFoundError } from '@tutti/runtime'
import { parentRunsHint } from './parent-runs.ts'
import type { Project } from './project.ts'

/**
 * The run of this project with the latest attempt. Throws RunNotFoundError, and JournalError where that may be one
 * that cannot be read: an older run must not take its place unnoticed.
 */
export async function lastRunId(project: Pick<Project, 'store' | 'cwd' | 'root'>): Promise<string> {
  const [last] = await project.store.list()
  const [unreadable] = await project.store.unreadable()
  if (unreadable !== undefined && unreadable.modifiedAt >= latestChange(last?.record)) {
    throw new JournalError(
      'journal-unreadable',
      `the latest run of this project, ${unreadable.runId}, cannot be read: ${unreadable.reason}`,
      { hint: 'To take an earlier run, give its id; tutti ls shows them.' },
    )
  }
  if (last !== undefined) return last.record.runId
  throw new RunNotFoundError('this project has no runs yet', {
    hint:
      (await parentRunsHint(project)) ??
      'Start one with: tutti run <file|name>. Runs belong to the folder they were started in.',
  })
}

function latestChange(record: RunRecord | undefined): number {
  return record === undefined ? 0 : (record.endedAt ?? record.attemptStartedAt)
}
