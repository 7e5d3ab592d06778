import type { Report } from '../problem.ts'
import { textIn } from '../read.ts'
import type { Rule } from '../recording.ts'

const WITHOUT_STAMP = [
  'control_request',
  'control_response',
  'control_cancel_request',
  'control_notification',
  'keep_alive',
]

/** Every frame but control frames has a `uuid` of its own and the `session_id` of its session. */
export function createStampRule(report: Report): Rule {
  const uuids = new Set<string>()
  let session: string | undefined
  return {
    see({ from, frame }) {
      const type = textIn(frame, 'type')
      if (from === 'host' || type === undefined || WITHOUT_STAMP.includes(type)) return
      const uuid = textIn(frame, 'uuid')
      const sessionId = textIn(frame, 'session_id')
      if (!uuid) report('stamp', `${type} has no uuid`)
      else if (uuids.has(uuid)) report('uuid-twice', `the uuid ${uuid} was used before`)
      else uuids.add(uuid)
      if (!sessionId) report('stamp', `${type} has no session_id`)
      else session ??= sessionId
      if (sessionId && sessionId !== session) {
        report('session-changed', `session_id ${sessionId} in a session named ${session}`)
      }
    },
  }
}
