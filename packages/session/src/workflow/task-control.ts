import type { JsonObject } from '@tutti/protocol'
import { createTaskRows } from '../task-rows.ts'
import type { RunningTask, SessionRuns } from './session-runs.ts'

/** Requests that are answered. */
export const TASK_CAPABILITIES: readonly string[] = [
  'x_tutti_task_state',
  'x_tutti_skip_agent',
  'x_tutti_retry_agent',
]

/** Requests of the protocol that a run of this version cannot follow, and what to do instead. */
const NOT_POSSIBLE: Record<string, string> = {
  x_tutti_pause_task: 'a running workflow cannot be paused: stop it, and resume its run later',
  x_tutti_resume_task: 'a task that has ended is not resumed in place: launch Workflow with resumeFromRunId',
  x_tutti_answer: 'the workflows of this version ask no questions',
  x_tutti_raise_limits: 'limits of a running workflow cannot be changed: stop it, and resume its run',
}

/** Answers one of our requests about a task; undefined: it is none. Throws an error for the host. */
export function controlTask(
  request: JsonObject & { subtype: string },
  runs: SessionRuns,
): JsonObject | undefined {
  const { subtype } = request
  switch (subtype) {
    case 'x_tutti_task_state':
      return stateOf(request, runs)
    case 'x_tutti_skip_agent':
      return actOnAgent(request, runs, 'skip')
    case 'x_tutti_retry_agent':
      return actOnAgent(request, runs, 'retry')
    default:
      if (Object.hasOwn(NOT_POSSIBLE, subtype)) throw new Error(`${subtype}: ${NOT_POSSIBLE[subtype]}`)
      return undefined
  }
}

function actOnAgent(request: JsonObject, runs: SessionRuns, act: 'skip' | 'retry'): JsonObject {
  const { agent } = request
  const { handle } = runningTask(request, runs)
  if (typeof agent !== 'string' && typeof agent !== 'number') {
    throw new Error(`agent must be the label or the index of an agent`)
  }
  const { continue: goOn } = request
  if (goOn !== undefined && typeof goOn !== 'boolean') throw new Error('continue must be true or false')
  const done = act === 'skip' ? handle.skip(agent) : handle.retry(agent, { continue: goOn })
  if (done) return {}
  const what = act === 'skip' ? 'runs or waits' : 'runs'
  throw new Error(`no agent ${JSON.stringify(agent)} ${what} in task ${handle.taskId}`)
}

function runningTask(request: JsonObject, runs: SessionRuns): RunningTask {
  const taskId = taskIdOf(request)
  const task = runs.byTask(taskId)
  if (task !== undefined && !task.announced) return task
  const ended = task !== undefined || runs.ended.some(end => end.taskId === taskId)
  throw new Error(ended ? `task ${taskId} has ended` : unknown(taskId))
}

function stateOf(request: JsonObject, runs: SessionRuns): JsonObject {
  const taskId = taskIdOf(request)
  const task = runs.byTask(taskId)
  if (task !== undefined) return runningStateOf(task)
  const end = runs.ended.find(ended => ended.taskId === taskId)
  if (end === undefined) throw new Error(unknown(taskId))
  return {
    task_id: end.taskId,
    run_id: end.runId,
    workflow_name: end.workflowName,
    description: end.description,
    status: end.status,
    ...(end.pausedBy !== undefined && { paused_by: end.pausedBy }),
    ...(end.resetAt !== undefined && { reset_at: end.resetAt }),
    summary: end.summary,
    start_time: end.startedAt,
    end_time: end.endedAt,
    output_file: end.outputFile,
  }
}

/** As the frames tell it in their plain form, at this moment; agents that still wait for a slot are there too. */
function runningStateOf({ handle, toolUseId }: RunningTask): JsonObject {
  const record = handle.snapshot()
  const rows = createTaskRows('codebuddy')
  for (const row of record.progress) {
    if (row.type === 'workflow_agent') rows.apply({ type: 'agent', row })
    else if (row.type === 'workflow_phase') rows.apply({ type: 'phase', row })
    else rows.apply({ type: 'log', row })
  }
  const state = {
    task_id: handle.taskId,
    tool_use_id: toolUseId,
    run_id: handle.runId,
    workflow_name: handle.name,
    description: handle.description,
    status: record.status,
    attempt: record.attempt,
    start_time: record.attemptStartedAt,
    end_time: record.endedAt,
    usage: rows.usage(record.usage.durationMs),
    census: record.census,
    limits: record.limits,
    workflow_progress: rows.snapshot(),
    warnings: record.warnings,
    output_file: handle.locations.output,
  }
  // What is undefined has no place in JSON.
  return JSON.parse(JSON.stringify(state)) as JsonObject
}

function taskIdOf({ task_id: taskId }: JsonObject): string {
  if (typeof taskId === 'string' && taskId !== '') return taskId
  throw new Error('task_id must be the id of a task')
}

function unknown(taskId: string): string {
  return `there is no task ${JSON.stringify(taskId.slice(0, 80))} in this session`
}
