import { applyFrame } from './task-fold.ts'
import { emptyTrackerState, LATE_PROGRESS_MS, type TaskState, type TrackerState } from './task-state.ts'

/** Follows the tasks of one stream: feed it every frame, ask it for the state of each task. */
export class TaskTracker {
  #state: TrackerState = emptyTrackerState()

  /** An immutable picture of everything. */
  get state(): TrackerState {
    return this.#state
  }

  /**
   * Takes one frame, of any kind; whether something changed. `now`: when it came, on the caller's clock;
   * without it progress after the end always counts.
   */
  apply(frame: unknown, now?: number): boolean {
    const before = this.#state
    this.#state = applyFrame(before, frame, now)
    return this.#state !== before
  }

  get(taskId: string): TaskState | undefined {
    return this.#state.tasks.get(taskId)
  }

  /** In the order in which they were first seen. */
  tasks(): TaskState[] {
    return [...this.#state.tasks.values()]
  }

  /** Those without a notification. */
  running(): TaskState[] {
    return this.tasks().filter(task => !task.notified)
  }

  /** Forgets tasks whose time for late progress is over; gives them back. */
  dropEnded(now: number): TaskState[] {
    const dropped = this.tasks().filter(
      task => task.notified && task.notifiedAt !== undefined && now - task.notifiedAt > LATE_PROGRESS_MS,
    )
    const tasks = new Map(this.#state.tasks)
    for (const task of dropped) tasks.delete(task.taskId)
    if (dropped.length > 0) this.#state = { ...this.#state, tasks }
    return dropped
  }
}
