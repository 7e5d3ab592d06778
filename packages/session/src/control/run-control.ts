import { asText } from '../json-fields.ts'
import type { SessionParts } from '../session-parts.ts'
import type { SessionLoop } from '../turn/session-loop.ts'
import type { Handler } from './control-desk.ts'

/** Requests that end something; their answers are receipts, what follows is told by frames. */
export function runHandlers(
  { options, host, calls, desk, note }: SessionParts,
  loop: SessionLoop,
): Record<string, Handler> {
  return {
    interrupt(request, { after }) {
      const sessionId = asText(request['session_id'])
      if (sessionId !== undefined && sessionId !== '' && sessionId !== options.sessionId) {
        throw new Error(`session_id names another session; this one is ${options.sessionId}`)
      }
      const turnOnly = host.perTaskStop && calls.present
      const reason = asText(request['reason']) ?? 'interrupted by the user'
      after(() => loop.interrupt({ workflows: !turnOnly, reason }))
      return { still_queued: loop.queued }
    },
    stop_task(request, { after }) {
      const taskId = asText(request['task_id'])
      if (taskId === undefined) throw new Error('stop_task needs a text "task_id"')
      after(() => {
        desk.opened
          ?.stopTask(taskId, 'stopped by the user')
          .catch((error: unknown) => note(`stop_task: ${String(error)}`))
      })
      return {}
    },
    background_tasks() {
      const running = desk.opened?.running ?? []
      return {
        tasks: running.map(({ taskId, description }) => ({
          task_id: taskId,
          task_type: 'local_workflow',
          description,
        })),
      }
    },
  }
}
