import type { NotificationStatus } from './frames.ts'
import type { AgentRow, LogRow, PhaseRow } from './progress.ts'
import type { RunStatus } from './record.ts'
import type { TaskUsage } from './usage.ts'

/** `stopped` is the notification's word for killed, cancelled and paused. */
export type TaskStatus = RunStatus | NotificationStatus

/** Late progress of an ended task counts for this long. */
export const LATE_PROGRESS_MS = 5_000

/** What the frames so far say about one task. */
export interface TaskState {
  taskId: string
  /** The notification's word once there is one, else that of the last `task_updated`. */
  status: TaskStatus
  /** The word of the last `task_updated`: tells a paused run from a killed one after its notification. */
  updatedStatus?: RunStatus
  taskType?: string
  toolUseId?: string
  workflowName?: string
  description: string
  /** What the last `task_progress` said it is about; the latest agent in dialect `claude-code`. */
  activity?: string
  prompt?: string
  /** Of the last snapshot, by `index`. */
  phases: readonly PhaseRow[]
  agents: ReadonlyMap<number, AgentRow>
  logs: readonly LogRow[]
  usage: TaskUsage
  /** Milliseconds since the epoch, as the session tells it. */
  endTime?: number
  error?: string
  outputFile?: string
  summary?: string
  /** The notification has been seen: the task has ended. */
  notified: boolean
  /** When it was seen, in the caller's time. */
  notifiedAt?: number
}

/** All tasks of a stream. Never changed: every frame makes a new one, or gives the same one back. */
export interface TrackerState {
  tasks: ReadonlyMap<string, TaskState>
  /** Ids of the last `background_tasks_changed`. */
  background: readonly string[]
}

export function emptyTrackerState(): TrackerState {
  return { tasks: new Map(), background: [] }
}

export function newTask(taskId: string): TaskState {
  return {
    taskId,
    status: 'running',
    description: '',
    phases: [],
    agents: new Map(),
    logs: [],
    usage: { total_tokens: 0, tool_uses: 0, duration_ms: 0 },
    notified: false,
  }
}
