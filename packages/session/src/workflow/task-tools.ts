import type { ChatTool, ChatToolResult } from '@tutti/agents/chat'
import type { Clock, RunStore } from '@tutti/runtime'
import type { EndedTask, RunningTask, SessionRuns } from './session-runs.ts'
import { readTaskInput, type TaskInput } from './task-input.ts'
import { storedOutput } from './stored-task.ts'
import { endedLine, runningLine, runningState } from './task-text.ts'
import { failedResult } from './tool-result.ts'

const DEFAULT_WAIT_MS = 30_000
const MAX_WAIT_MS = 600_000

const TASK_ID = { type: 'string', description: 'Task ID, as the launch answered it.' }

export interface TaskToolOptions {
  runs: SessionRuns
  clock: Clock
  /** Knows the tasks of other sessions. */
  store: Pick<RunStore, 'list'>
}

/** `TaskStop`, `TaskOutput`, `TaskList`: the workflows of the session for its model. */
export function createTaskTools(options: TaskToolOptions): ChatTool[] {
  return [taskStop(options), taskOutput(options), taskList(options)]
}

function taskStop({ runs }: TaskToolOptions): ChatTool {
  return {
    name: 'TaskStop',
    description:
      'Stops a running workflow and its agents. Finished agents are kept, so the run can be resumed.',
    inputSchema: objectSchema({ task_id: TASK_ID }, ['task_id']),
    readOnly: false,
    decidesItself: true,
    run: async input => {
      const read = readTaskInput('TaskStop', input, ['task_id'])
      if (typeof read === 'string') return failedResult(read)
      const task = runs.byTask(read.taskId) ?? runs.byRun(read.taskId)
      if (task === undefined || task.announced) return notRunning(runs, read.taskId)
      void task.handle.stop('stopped with TaskStop')
      await task.told
      const { taskId, runId } = task.handle
      return {
        content: `Task ${taskId} was stopped. To go on later: Workflow({"resumeFromRunId":"${runId}"}).`,
        structured: { task_id: taskId, status: 'stopped', run_id: runId },
      }
    },
  }
}

function taskOutput(options: TaskToolOptions): ChatTool {
  return {
    name: 'TaskOutput',
    description:
      'State of a workflow, and its result when it has ended. Waits for the end unless block is false. A notification comes by itself at the end: do not use this to wait.',
    inputSchema: objectSchema(
      {
        task_id: TASK_ID,
        block: { type: 'boolean', description: 'Wait for the end; default true.' },
        timeout: {
          type: 'number',
          minimum: 0,
          maximum: MAX_WAIT_MS,
          description: `Milliseconds to wait at most; default ${DEFAULT_WAIT_MS}.`,
        },
      },
      ['task_id'],
    ),
    readOnly: true,
    run: async (input, { signal }) => {
      const read = readTaskInput('TaskOutput', input, ['task_id', 'block', 'timeout'])
      return typeof read === 'string' ? failedResult(read) : output(options, read, signal)
    },
  }
}

async function output(
  { runs, clock, store }: TaskToolOptions,
  { taskId, block = true, timeout = DEFAULT_WAIT_MS }: TaskInput,
  signal: AbortSignal,
): Promise<ChatToolResult> {
  const task = runs.byTask(taskId) ?? runs.byRun(taskId)
  if (task === undefined) {
    const end = endOf(runs, taskId)
    if (end !== undefined) return outputOf(end)
    return (await storedOutput(store, taskId)) ?? failedResult(unknownTask(runs, taskId))
  }
  if (!block) return runningOutput(task, 'not_ready')
  const end = await waitFor(task, { clock, signal, ms: Math.min(timeout, MAX_WAIT_MS) })
  return end === undefined ? runningOutput(task, 'timeout') : outputOf(end)
}

function taskList({ runs }: TaskToolOptions): ChatTool {
  return {
    name: 'TaskList',
    description: 'The workflows of this session: those that run and those that have ended.',
    inputSchema: objectSchema({}, []),
    readOnly: true,
    run: async input => {
      const read = readTaskInput('TaskList', input, [])
      if (typeof read === 'string') return failedResult(read)
      const lines = [...runs.running.map(runningLine), ...runs.ended.toReversed().map(endedLine)]
      return {
        content: lines.length === 0 ? 'No workflow was launched in this session.' : lines.join('\n'),
        structured: {
          tasks: [
            ...runs.running.map(({ handle }) => ({
              task_id: handle.taskId,
              task_type: 'local_workflow',
              status: handle.snapshot().status,
              run_id: handle.runId,
            })),
            ...runs.ended.toReversed().map(({ taskId, status, runId }) => ({
              task_id: taskId,
              task_type: 'local_workflow',
              status,
              run_id: runId,
            })),
          ],
        },
      }
    },
  }
}

function runningOutput({ handle }: RunningTask, retrieval: 'not_ready' | 'timeout'): ChatToolResult {
  const { status } = handle.snapshot()
  return {
    content: runningState(handle),
    structured: {
      retrieval_status: retrieval,
      task: { task_id: handle.taskId, task_type: 'local_workflow', status, run_id: handle.runId },
    },
  }
}

function outputOf({ taskId, runId, status, text }: EndedTask): ChatToolResult {
  return {
    content: text,
    structured: {
      retrieval_status: 'success',
      task: { task_id: taskId, task_type: 'local_workflow', status, run_id: runId, output: text },
    },
  }
}

function notRunning(runs: SessionRuns, taskId: string): ChatToolResult {
  const end = endOf(runs, taskId)
  if (end !== undefined) return { content: `Task ${end.taskId} has already ended: ${end.status}.` }
  if (runs.byTask(taskId) !== undefined) return { content: `Task ${taskId} was already stopped.` }
  return failedResult(unknownTask(runs, taskId))
}

function endOf(runs: SessionRuns, id: string): EndedTask | undefined {
  return runs.ended.findLast(({ taskId, runId }) => taskId === id || runId === id)
}

function unknownTask({ running }: SessionRuns, taskId: string): string {
  const known = running.map(({ handle }) => handle.taskId)
  const told = known.length === 0 ? 'No workflow runs.' : `Running: ${known.join(', ')}.`
  return `There is no task ${JSON.stringify(taskId.slice(0, 80))} in this session. ${told}`
}

/** The end of a run; undefined when the time is over or the wait is broken off. */
function waitFor(
  task: RunningTask,
  { clock, signal, ms }: { clock: Clock; signal: AbortSignal; ms: number },
): Promise<EndedTask | undefined> {
  return new Promise(resolve => {
    const giveUp = (): void => settle(undefined)
    const timer = clock.timer(ms, giveUp)
    signal.addEventListener('abort', giveUp, { once: true })
    if (signal.aborted) giveUp()
    task.done.then(settle, giveUp)

    function settle(end: EndedTask | undefined): void {
      timer.cancel()
      signal.removeEventListener('abort', giveUp)
      resolve(end)
    }
  })
}

function objectSchema(properties: Record<string, object>, required: string[]): ChatTool['inputSchema'] {
  return {
    type: 'object',
    properties: { ...properties } as ChatTool['inputSchema'],
    required,
    additionalProperties: false,
  }
}
