/**
 * The order rules of task frames as a state machine. It is fed every frame of a stream and throws at the
 * first one that may not come now.
 */
import type { AgentRow, TaskFrame, TaskProgressFrame } from '@tutti/protocol'

const TERMINAL = new Set(['completed', 'failed', 'killed'])
const NOTIFIED_AS: Record<string, string> = { completed: 'completed', failed: 'failed', killed: 'stopped' }

interface Task {
  state: 'started' | 'ending' | 'notified'
  lastStatus?: string
  killed: boolean
  rows: Map<number, AgentRow>
}

export interface FrameOrder {
  see(frame: TaskFrame): void
  /** Throws unless every task has had its end. */
  finish(): void
}

export function createFrameOrder(dialect: 'codebuddy' | 'claude-code' = 'codebuddy'): FrameOrder {
  const tasks = new Map<string, Task>()
  const uuids = new Set<string>()

  const taskOf = (id: string, what: string): Task => {
    const task = tasks.get(id)
    if (task === undefined) throw new Error(`${what} before task_started`)
    return task
  }

  const progress = (frame: TaskProgressFrame): void => {
    const task = taskOf(frame.task_id, 'task_progress')
    const rows = frame.workflow_progress
    if (rows?.length === 0) throw new Error('workflow_progress is empty')
    if (task.state === 'ending') throw new Error('task_progress between the terminal pair')
    if (task.state === 'notified' && !(task.killed && dialect === 'codebuddy')) {
      throw new Error('task_progress after the end')
    }
    checkRowOrder(rows ?? [])
    for (const row of rows ?? []) {
      if (row.type !== 'workflow_agent') continue
      const before = task.rows.get(row.index)
      if (before !== undefined && before.state !== 'start' && row.state === 'start') {
        throw new Error(`row ${row.index} came back to life`)
      }
      task.rows.set(row.index, row)
    }
    for (const index of task.rows.keys()) {
      if (!rows?.some(row => row.type === 'workflow_agent' && row.index === index)) {
        throw new Error(`row ${index} vanished from the snapshot`)
      }
    }
  }

  return {
    see(frame) {
      if (uuids.has(frame.uuid)) throw new Error('a uuid came twice')
      uuids.add(frame.uuid)
      switch (frame.subtype) {
        case 'task_started':
          if (tasks.has(frame.task_id)) throw new Error('task_started twice')
          tasks.set(frame.task_id, { state: 'started', killed: false, rows: new Map() })
          return
        case 'task_progress':
          progress(frame)
          return
        case 'task_updated': {
          const task = taskOf(frame.task_id, 'task_updated')
          if (task.state !== 'started') throw new Error('task_updated after the end')
          task.lastStatus = frame.patch.status
          task.killed = frame.patch.status === 'killed'
          if (TERMINAL.has(frame.patch.status) && frame.patch.end_time === undefined) {
            throw new Error('a terminal task_updated without end_time')
          }
          if (frame.patch.end_time !== undefined) task.state = 'ending'
          return
        }
        case 'task_notification': {
          const task = taskOf(frame.task_id, 'task_notification')
          if (task.state !== 'ending') throw new Error('task_notification without its task_updated')
          if (frame.status !== (NOTIFIED_AS[task.lastStatus ?? ''] ?? 'stopped')) {
            throw new Error(`notified as ${frame.status} after ${task.lastStatus}`)
          }
          const open = [...task.rows.values()].filter(row => row.state === 'start')
          const mayBeOpen = task.killed && dialect === 'codebuddy'
          if (open.length > 0 && !mayBeOpen) throw new Error('notified while rows are open')
          task.state = 'notified'
          return
        }
        case 'background_tasks_changed':
          for (const { task_id } of frame.tasks) {
            if (taskOf(task_id, 'background_tasks_changed').state === 'notified') {
              throw new Error('a task that has ended is still in the set')
            }
          }
          return
        default:
      }
    },
    finish() {
      for (const [id, task] of tasks) {
        if (task.state !== 'notified') throw new Error(`${id} was never notified`)
        const open = [...task.rows.values()].filter(row => row.state === 'start')
        if (open.length > 0) throw new Error(`${open.length} rows never ended`)
      }
    },
  }
}

const ROW_ORDER = ['workflow_phase', 'workflow_agent', 'workflow_log']

function checkRowOrder(rows: NonNullable<TaskProgressFrame['workflow_progress']>): void {
  for (const [at, row] of rows.entries()) {
    const before = rows[at - 1]
    if (before === undefined) continue
    const kinds = ROW_ORDER.indexOf(row.type) - ROW_ORDER.indexOf(before.type)
    if (kinds < 0 || (kinds === 0 && row.index <= before.index)) {
      throw new Error(`row ${row.type} ${row.index} after ${before.type} ${before.index}`)
    }
  }
}
