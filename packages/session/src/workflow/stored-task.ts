import type { ChatToolResult } from '@tutti/agents/chat'
import { boundPreview, type RunRecord } from '@tutti/protocol'
import type { RunStore, RunSummary } from '@tutti/runtime'
import { runSummary } from '../run-summary.ts'

/**
 * A task of an earlier session, or of this one before it was begun again, by its id or that of its run; undefined
 * when the project has none.
 */
export async function storedOutput(
  store: Pick<RunStore, 'list'>,
  id: string,
): Promise<ChatToolResult | undefined> {
  const found = (await store.list()).find(({ record }) => isMeant(record, id))
  if (found === undefined) return undefined
  const { record } = found
  return {
    content: storedText(found),
    structured: {
      retrieval_status: 'success',
      task: {
        task_id: record.taskId,
        task_type: 'local_workflow',
        status: statusOf(found),
        run_id: record.runId,
      },
    },
  }
}

function isMeant({ runId, taskId, attempts }: RunRecord, id: string): boolean {
  return runId === id || taskId === id || attempts.some(attempt => attempt.taskId === id)
}

function statusOf({ record, interrupted }: RunSummary): string {
  return interrupted ? 'interrupted' : record.status
}

function storedText(found: RunSummary): string {
  const { record, locations, interrupted } = found
  const going = record.status === 'running' || record.status === 'pending'
  const lines = [
    `Task ${record.taskId} of run ${record.runId} was not launched in this session.`,
    going
      ? `Workflow "${record.workflowName}" is ${interrupted ? 'interrupted: its process is gone' : 'running in another session'}.`
      : runSummary(record),
    ...(record.resultPreview === undefined ? [] : [`Result: ${boundPreview(record.resultPreview)}`]),
    `Everything it returned: ${locations.output}`,
  ]
  if (record.status !== 'completed' && (interrupted || !going)) {
    lines.push(`To go on: Workflow({"resumeFromRunId":"${record.runId}"})`)
  }
  return lines.join('\n')
}
