import type { Report } from '../problem.ts'
import { frameIn, systemSubtype, textIn } from '../read.ts'
import type { Frame, Rule } from '../recording.ts'

const COUNTS = [
  'input_tokens',
  'output_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
] as const

/**
 * A turn begins with `system` `init` and ends with one `result`; what a model says stands between them. Where
 * results are held, the turns about the workflows that a turn started belong to it. What was said in an earlier
 * session is replayed outside of turns.
 */
export function createTurnRule(report: Report, heldResults: boolean): Rule {
  let open = false
  let any = false
  let replayed = false
  /** Workflows that ended and that no turn has been about yet, since the last result. */
  let news = 0

  const begin = (): void => {
    if (open && !(heldResults && news > 0))
      report('no-result', 'a turn begins before the last one had its result')
    open = true
    any = true
    news = Math.max(0, news - 1)
  }

  const end = (frame: Frame): void => {
    if (!open && !replayed) report('outside-turn', `result ${any ? 'of a turn that has one' : 'before init'}`)
    open = false
    replayed = false
    news = 0
    checkResult(frame, report)
  }

  return {
    see({ from, frame }) {
      if (from === 'host') return
      const subtype = systemSubtype(frame)
      if (frame['isReplay'] === true) replayed = true
      else if (subtype === 'init') begin()
      else if (subtype === 'task_notification') news += 1
      else if (frame['type'] === 'result') end(frame)
      else if (!open && (frame['type'] === 'assistant' || frame['type'] === 'stream_event')) {
        report('outside-turn', `${frame['type']} ${any ? 'after the result of its turn' : 'before init'}`)
      }
    },
    end() {
      if (open) report('no-result', 'the last turn has no result')
    },
  }
}

function checkResult(frame: Frame, report: Report): void {
  const subtype = textIn(frame, 'subtype') ?? ''
  if (subtype === 'success' && textIn(frame, 'result') === undefined) {
    report('result', 'a success without a text in result')
  }
  if (subtype !== 'success' && !subtype.startsWith('error_')) report('result', `unknown subtype ${subtype}`)
  if (subtype.startsWith('error_')) {
    if (frame['is_error'] !== true) report('result', `${subtype} is no error`)
    if (!Array.isArray(frame['errors'])) report('result', `${subtype} does not say its errors`)
  }
  const usage = frameIn(frame, 'usage')
  for (const name of COUNTS) {
    if (typeof usage?.[name] !== 'number') report('result', `usage.${name} is not a number`)
  }
}
