import { boundError, type BackgroundTasksChangedFrame } from '@tutti/protocol'
import type { Random } from '@tutti/runtime'
import { stamp } from './stamp.ts'

export interface BackgroundTask {
  task_id: string
  task_type: string
  description: string
}

/** The tasks a session has running; every change is announced with the full set. */
export interface BackgroundTasks {
  add(task: BackgroundTask): void
  /** Without effect, and without a frame, for a task that is not in the set. */
  remove(taskId: string): void
  /** Announces the set as it is. */
  announce(): void
  readonly size: number
}

export interface BackgroundTasksOptions {
  sessionId: string
  random: Random
  write(frame: BackgroundTasksChangedFrame): void
}

export function createBackgroundTasks({ sessionId, random, write }: BackgroundTasksOptions): BackgroundTasks {
  const tasks = new Map<string, BackgroundTask>()

  const announce = (): void => {
    write({
      type: 'system',
      subtype: 'background_tasks_changed',
      tasks: [...tasks.values()],
      ...stamp(sessionId, random),
    })
  }

  return {
    add(task) {
      tasks.set(task.task_id, { ...task, description: boundError(task.description) })
      announce()
    },
    remove(taskId) {
      if (tasks.delete(taskId)) announce()
    },
    announce,
    get size() {
      return tasks.size
    },
  }
}
