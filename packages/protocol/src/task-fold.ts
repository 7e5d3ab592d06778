// The fold from frames to tasks. It reads whatever comes and throws at nothing: other frames, unknown
// fields, unknown rows and values of the wrong kind leave the state as it is.
import { NOTIFICATION_STATUSES } from './frames.ts'
import { isObject } from './json.ts'
import { readSnapshot } from './read-snapshot.ts'
import { numberOf, objectIn, objectsIn, textOf } from './read-field.ts'
import { RUN_STATUSES } from './record.ts'
import {
  LATE_PROGRESS_MS,
  newTask,
  type TaskState,
  type TaskStatus,
  type TrackerState,
} from './task-state.ts'
import type { TaskUsage } from './usage.ts'

type Loose = { readonly [key: string]: unknown }

const TERMINAL: readonly TaskStatus[] = ['completed', 'failed', 'killed', 'stopped']

/**
 * The state after one more frame. Frames of unknown tasks create them. `now`: when the frame came, on the
 * caller's clock; without it late progress always counts.
 */
export function applyFrame(state: TrackerState, frame: unknown, now?: number): TrackerState {
  if (!isObject(frame) || frame['type'] !== 'system') return state
  if (frame['subtype'] === 'background_tasks_changed') return withBackground(state, frame)
  const taskId = textOf(frame, 'task_id')
  if (taskId === undefined) return state
  const task = state.tasks.get(taskId) ?? newTask(taskId)
  const next = step(task, frame, now)
  return next === undefined ? state : withTask(state, next)
}

/** Undefined: the frame says nothing about the task. */
function step(task: TaskState, frame: Loose, now: number | undefined): TaskState | undefined {
  switch (frame['subtype']) {
    case 'task_started':
      return started(task, frame)
    case 'task_progress':
      return progressed(task, frame, now)
    case 'task_updated':
      return updated(task, frame)
    case 'task_notification':
      return notified(task, frame, now)
    default:
      return undefined
  }
}

function started(task: TaskState, frame: Loose): TaskState {
  return {
    ...task,
    ...present({
      taskType: textOf(frame, 'task_type'),
      toolUseId: textOf(frame, 'tool_use_id'),
      workflowName: textOf(frame, 'workflow_name'),
      description: textOf(frame, 'description'),
      prompt: textOf(frame, 'prompt'),
    }),
  }
}

/** A frame without a snapshot keeps the last one; the usage of an ended task is the notification's. */
function progressed(task: TaskState, frame: Loose, now: number | undefined): TaskState | undefined {
  if (task.notified && isTooLate(task, now)) return undefined
  const rows = objectsIn(frame, 'workflow_progress')
  const activity = textOf(frame, 'description')
  return {
    ...task,
    ...present({
      activity,
      toolUseId: task.toolUseId ?? textOf(frame, 'tool_use_id'),
      description: task.description === '' ? activity : undefined,
      usage: task.notified ? undefined : readUsage(frame),
    }),
    ...(rows === undefined || rows.length === 0 ? {} : readSnapshot(rows)),
  }
}

function isTooLate(task: TaskState, now: number | undefined): boolean {
  return now !== undefined && task.notifiedAt !== undefined && now - task.notifiedAt > LATE_PROGRESS_MS
}

/** An end is never taken back, and nothing is heard after the notification. */
function updated(task: TaskState, frame: Loose): TaskState | undefined {
  const patch = objectIn(frame, 'patch')
  if (patch === undefined || task.notified) return undefined
  const status = wordOf(RUN_STATUSES, patch['status'])
  const keep = status === undefined || (TERMINAL.includes(task.status) && !TERMINAL.includes(status))
  return {
    ...task,
    ...present({
      status: keep ? undefined : status,
      updatedStatus: keep ? undefined : status,
      endTime: numberOf(patch, 'end_time'),
      error: textOf(patch, 'error'),
      description: textOf(patch, 'description'),
    }),
  }
}

/** The first one counts. A word that this version does not know still ends the task. */
function notified(task: TaskState, frame: Loose, now: number | undefined): TaskState | undefined {
  if (task.notified) return undefined
  const ended = TERMINAL.includes(task.status) && task.status !== 'killed' ? task.status : 'stopped'
  return {
    ...task,
    ...present({
      toolUseId: task.toolUseId ?? textOf(frame, 'tool_use_id'),
      summary: textOf(frame, 'summary'),
      outputFile: textOf(frame, 'output_file'),
      usage: readUsage(frame),
      notifiedAt: now,
    }),
    status: wordOf(NOTIFICATION_STATUSES, frame['status']) ?? ended,
    notified: true,
  }
}

/** The full set of what runs; a task that is missing in it ends by its notification all the same. */
function withBackground(state: TrackerState, frame: Loose): TrackerState {
  const listed = objectsIn(frame, 'tasks')
  if (listed === undefined) return state
  const tasks = new Map(state.tasks)
  const background: string[] = []
  for (const entry of listed) {
    const taskId = textOf(entry, 'task_id')
    if (taskId === undefined) continue
    background.push(taskId)
    const task = tasks.get(taskId) ?? newTask(taskId)
    tasks.set(taskId, {
      ...task,
      ...present({
        taskType: task.taskType ?? textOf(entry, 'task_type'),
        description: task.description === '' ? textOf(entry, 'description') : undefined,
      }),
    })
  }
  return { tasks, background }
}

function withTask(state: TrackerState, task: TaskState): TrackerState {
  return { ...state, tasks: new Map(state.tasks).set(task.taskId, task) }
}

function readUsage(frame: Loose): TaskUsage | undefined {
  const usage = objectIn(frame, 'usage')
  if (usage === undefined) return undefined
  return {
    total_tokens: numberOf(usage, 'total_tokens') ?? 0,
    tool_uses: numberOf(usage, 'tool_uses') ?? 0,
    duration_ms: numberOf(usage, 'duration_ms') ?? 0,
  }
}

function wordOf<T extends string>(words: readonly T[], value: unknown): T | undefined {
  return words.find(word => word === value)
}

/** The fields that have a value. */
function present(fields: Partial<TaskState>): Partial<TaskState> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
