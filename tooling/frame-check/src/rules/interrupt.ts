import type { Report } from '../problem.ts'
import { frameIn, systemSubtype, textIn } from '../read.ts'
import type { Rule } from '../recording.ts'

/** The receipt of an interrupt comes before the ends that it causes. */
export function createInterruptRule(report: Report): Rule {
  const waiting = new Set<string>()
  /** Another stop is under way, whose ends are its own. */
  const stopping = new Set<string>()
  return {
    see({ from, frame }) {
      if (from === 'host' && frame['type'] === 'control_request') {
        const subtype = textIn(frameIn(frame, 'request'), 'subtype')
        const id = textIn(frame, 'request_id')
        if (id === undefined) return
        if (subtype === 'interrupt') waiting.add(id)
        if (subtype === 'stop_task') stopping.add(textIn(frameIn(frame, 'request'), 'task_id') ?? '')
        return
      }
      if (from === 'session' && frame['type'] === 'control_response') {
        waiting.delete(textIn(frameIn(frame, 'response'), 'request_id') ?? '')
        return
      }
      if (waiting.size === 0 || systemSubtype(frame) !== 'task_updated') return
      if (textIn(frameIn(frame, 'patch'), 'status') !== 'killed') return
      if (stopping.has(textIn(frame, 'task_id') ?? '')) return
      report(
        'killed-before-receipt',
        `${textIn(frame, 'task_id')} was killed before the interrupt was answered`,
      )
    },
  }
}
