import type { Report } from '../problem.ts'
import { frameIn, textIn } from '../read.ts'
import type { Entry, Frame, Rule } from '../recording.ts'

interface Question {
  asker: 'host' | 'session'
  subtype: string
  /** How often: a host may use an id again. */
  asked: number
  answered: number
  withdrawn: boolean
}

/**
 * One answer to each request, in either direction; none to a question that was never put. Without the host's
 * lines in the recording only the session's own requests are followed.
 */
export function createControlRule(report: Report): Rule {
  const questions = new Map<string, Question>()
  let hostIsRecorded = false
  const key = (asker: Question['asker'], id: string): string => `${asker} ${id}`

  const ask = (from: Question['asker'], frame: Frame): void => {
    const id = textIn(frame, 'request_id')
    if (id === undefined) return
    const before = questions.get(key(from, id))
    if (before !== undefined) {
      if (from === 'session') report('request-twice', `the request_id ${id} was used before`)
      before.asked += 1
      return
    }
    const subtype = textIn(frameIn(frame, 'request'), 'subtype') ?? 'none'
    questions.set(key(from, id), { asker: from, subtype, asked: 1, answered: 0, withdrawn: false })
  }

  const answer = (from: Question['asker'], frame: Frame): void => {
    const id = textIn(frameIn(frame, 'response'), 'request_id')
    const other = from === 'host' ? 'session' : 'host'
    const question = id === undefined ? undefined : questions.get(key(other, id))
    if (from === 'session') {
      if (question === undefined && hostIsRecorded)
        report('answer-without-request', `nobody asked ${id ?? '(none)'}`)
      if (question && question.answered >= question.asked) {
        report('answered-twice', `${question.subtype} ${id} was answered before`)
      }
    }
    if (question) question.answered += 1
  }

  const withdraw = (from: Question['asker'], frame: Frame): void => {
    const id = textIn(frame, 'request_id')
    const question = id === undefined ? undefined : questions.get(key(from, id))
    if (question) question.withdrawn = true
    else if (from === 'session') report('withdrawn-unasked', `${id ?? '(none)'} was never asked`)
  }

  return {
    see({ from, frame }: Entry) {
      hostIsRecorded ||= from === 'host'
      if (frame['type'] === 'control_response') answer(from, frame)
      else if (frame['type'] === 'control_cancel_request') withdraw(from, frame)
      // A line of the host that is no good, but carries an id, is answered, too.
      else if (frame['type'] === 'control_request' || from === 'host') ask(from, frame)
    },
    end() {
      for (const [name, { asker, subtype, asked, answered, withdrawn }] of questions) {
        if (asker === 'host' && answered < asked && !withdrawn) report('unanswered', `${subtype} (${name})`)
      }
    },
  }
}
