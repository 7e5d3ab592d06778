import type { Report } from '../problem.ts'
import { frameIn, textIn } from '../read.ts'
import type { Entry, Frame, Rule } from '../recording.ts'

interface Question {
  asked: 'host' | 'session'
  subtype: string
  answered: boolean
  withdrawn: boolean
}

/**
 * One answer to each request, in either direction; none to a question that was never put. Without the host's
 * lines in the recording only the session's own requests are followed.
 */
export function createControlRule(report: Report): Rule {
  const questions = new Map<string, Question>()
  let hostIsRecorded = false
  const key = (asked: Question['asked'], id: string): string => `${asked} ${id}`

  const ask = (from: Question['asked'], frame: Frame): void => {
    const id = textIn(frame, 'request_id')
    if (id === undefined) return
    const before = questions.get(key(from, id))
    if (before !== undefined) {
      if (from === 'session') report('request-twice', `the request_id ${id} was used before`)
      return
    }
    const subtype = textIn(frameIn(frame, 'request'), 'subtype') ?? 'none'
    questions.set(key(from, id), { asked: from, subtype, answered: false, withdrawn: false })
  }

  const answer = (from: Question['asked'], frame: Frame): void => {
    const id = textIn(frameIn(frame, 'response'), 'request_id')
    const other = from === 'host' ? 'session' : 'host'
    const question = id === undefined ? undefined : questions.get(key(other, id))
    if (from === 'session') {
      if (question === undefined && hostIsRecorded)
        report('answer-without-request', `nobody asked ${id ?? '(none)'}`)
      if (question?.answered) report('answered-twice', `${question.subtype} ${id} was answered before`)
    }
    if (question) question.answered = true
  }

  const withdraw = (from: Question['asked'], frame: Frame): void => {
    const id = textIn(frame, 'request_id')
    const question = id === undefined ? undefined : questions.get(key(from, id))
    if (question) question.withdrawn = true
    else if (from === 'session') report('withdrawn-unasked', `${id ?? '(none)'} was never asked`)
  }

  return {
    see({ from, frame }: Entry) {
      hostIsRecorded ||= from === 'host'
      if (frame['type'] === 'control_request') ask(from, frame)
      else if (frame['type'] === 'control_response') answer(from, frame)
      else if (frame['type'] === 'control_cancel_request') withdraw(from, frame)
    },
    end() {
      for (const [name, { asked, subtype, answered, withdrawn }] of questions) {
        if (asked === 'host' && !answered && !withdrawn) report('unanswered', `${subtype} (${name})`)
      }
    },
  }
}
