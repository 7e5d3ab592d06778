import type { Report } from '../problem.ts'
import { framesIn, systemSubtype, textIn } from '../read.ts'
import type { Frame, Rule } from '../recording.ts'

/**
 * `background_tasks_changed` tells all that runs, and only that, after each change and before the `result` of
 * a turn that leaves something running.
 */
export function createBackgroundRule(report: Report): Rule {
  const running = new Set<string>()
  /** Undefined: not told since the last change, or not in this turn. */
  let told: string | undefined
  let toldThisTurn = false

  const tell = (frame: Frame): void => {
    const listed = (framesIn(frame, 'tasks') ?? []).map(task => textIn(task, 'task_id') ?? '')
    for (const id of listed) {
      if (!running.has(id)) report('background-not-running', `${id} is listed and does not run`)
    }
    for (const id of running) {
      if (!listed.includes(id)) report('background-missing', `${id} runs and is not listed`)
    }
    if (new Set(listed).size !== listed.length) report('background-twice', 'a task is listed twice')
    told = nameOf(listed)
    toldThisTurn = true
  }

  return {
    see({ from, frame }) {
      if (from === 'host') return
      const taskId = textIn(frame, 'task_id') ?? ''
      switch (systemSubtype(frame)) {
        case 'init':
          toldThisTurn = false
          return
        case 'task_started':
          running.add(taskId)
          return
        case 'task_notification':
          running.delete(taskId)
          return
        case 'background_tasks_changed':
          tell(frame)
          return
        default:
      }
      if (frame['type'] !== 'result') return
      if (running.size > 0 && !toldThisTurn) {
        report('background-untold', `${[...running].join(', ')} goes on, and this turn did not say so`)
      } else if ((told ?? '') !== nameOf([...running])) {
        report('background-stale', 'what runs has changed since background_tasks_changed')
      }
    },
    end() {
      if ((told ?? '') !== nameOf([...running])) {
        report('background-stale', 'the last background_tasks_changed is not what runs at the end')
      }
    },
  }
}

function nameOf(ids: string[]): string {
  return [...ids].sort().join(' ')
}
