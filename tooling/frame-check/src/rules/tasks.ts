import type { Dialect } from '@tutti/protocol'
import type { Report } from '../problem.ts'
import { frameIn, framesIn, numberIn, systemSubtype, textIn } from '../read.ts'
import type { Frame, Rule } from '../recording.ts'
import { createRowRules, type RowRules } from './rows.ts'

/** `ended`: its last `task_updated` was seen, its notification is due. */
type State = 'started' | 'ended' | 'notified'

interface Task {
  id: string
  type: string
  toolUseId?: string
  state: State
  status: string
  rows: RowRules
}

const TERMINAL = ['completed', 'failed', 'killed']
const NOTIFIED_AS: Record<string, string> = { completed: 'completed', failed: 'failed' }

/** The life of each task: started, progress, the terminal pair, and what may follow it. */
export function createTaskRule(report: Report, dialect: Dialect): Rule {
  const tasks = new Map<string, Task>()

  const start = (id: string, frame: Frame): void => {
    if (tasks.has(id)) return report('started-twice', `${id} was started before`)
    const toolUseId = textIn(frame, 'tool_use_id')
    const type = textIn(frame, 'task_type') ?? ''
    const rows = createRowRules(report, { taskId: id, dialect })
    tasks.set(id, { id, type, toolUseId, state: 'started', status: 'running', rows })
    if (type !== 'local_workflow') return
    const name = textIn(frame, 'workflow_name')
    const prompt = textIn(frame, 'prompt')
    if (!name) report('dialect', `${id} has no workflow_name`)
    if (dialect === 'codebuddy' && prompt !== undefined) report('dialect', `${id} shows its script`)
    if (dialect === 'claude-code' && !prompt) report('dialect', `${id} does not show its script`)
    if (dialect === 'claude-code' && name?.startsWith('path:')) report('dialect', `${id} is named ${name}`)
  }

  const progress = (task: Task, frame: Frame): void => {
    if (task.state === 'ended')
      report('progress-in-pair', `${task.id} shows progress between its terminal pair`)
    if (task.state === 'notified' && !(dialect === 'codebuddy' && task.status === 'killed')) {
      report('progress-after-end', `${task.id} shows progress after its notification`)
    }
    const rows = framesIn(frame, 'workflow_progress')
    if (rows !== undefined) task.rows.snapshot(rows, task.state === 'notified')
    task.rows.total(numberIn(frameIn(frame, 'usage'), 'total_tokens'), 'task_progress')
  }

  const update = (task: Task, frame: Frame): void => {
    const patch = frameIn(frame, 'patch')
    const status = textIn(patch, 'status') ?? ''
    const ends = numberIn(patch, 'end_time') !== undefined
    if (task.state !== 'started') {
      return report('updated-after-end', `${task.id} turns ${status} after it has ended as ${task.status}`)
    }
    if (TERMINAL.includes(status) && !ends) report('no-end-time', `${task.id} turns ${status} at no time`)
    if (!ends && status === task.status && status !== 'running') {
      report('updated-unchanged', `${task.id} is ${status} already`)
    }
    task.status = status
    if (!ends && !TERMINAL.includes(status)) return
    task.state = 'ended'
    if (status !== 'killed' || dialect === 'claude-code') task.rows.allEnded('before its terminal pair')
  }

  const notify = (task: Task, frame: Frame): void => {
    const status = textIn(frame, 'status') ?? ''
    if (task.state === 'notified') return report('notified-twice', `${task.id} was notified before`)
    if (task.state === 'started') report('notified-without-update', `${task.id} has no terminal task_updated`)
    const due = NOTIFIED_AS[task.status] ?? 'stopped'
    if (task.state === 'ended' && status !== due) {
      report('notified-as', `${task.id} is ${task.status} and notified as ${status}`)
    }
    task.state = 'notified'
    if (due !== 'stopped')
      task.rows.total(numberIn(frameIn(frame, 'usage'), 'total_tokens'), 'task_notification')
  }

  return {
    see({ from, frame }) {
      if (from === 'host') return
      const subtype = systemSubtype(frame)
      const id = textIn(frame, 'task_id')
      if (subtype === undefined || !subtype.startsWith('task_') || id === undefined) return
      if (subtype === 'task_started') return start(id, frame)
      const task = tasks.get(id)
      if (task === undefined) return report('not-started', `${subtype} of ${id}, which was not started`)
      const toolUseId = textIn(frame, 'tool_use_id')
      if (toolUseId !== undefined && toolUseId !== task.toolUseId) {
        report('tool-use-differs', `${subtype} of ${id} names ${toolUseId}, not ${task.toolUseId}`)
      }
      if (subtype === 'task_progress') progress(task, frame)
      else if (subtype === 'task_updated') update(task, frame)
      else if (subtype === 'task_notification') notify(task, frame)
    },
    end() {
      for (const task of tasks.values()) {
        if (task.state !== 'notified') report('not-notified', `${task.id} was never notified`)
        task.rows.allEnded('in the whole recording')
      }
    },
  }
}
