import type { Report } from '../problem.ts'
import { frameIn, systemSubtype, textIn } from '../read.ts'
import type { Frame, Rule } from '../recording.ts'

const IN_A_TURN = ['assistant', 'stream_event', 'result']

const COUNTS = [
  'input_tokens',
  'output_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
] as const

/** A turn begins with `system` `init` and ends with one `result`; what a model says stands between them. */
export function createTurnRule(report: Report): Rule {
  let open = false
  let any = false
  return {
    see({ from, frame }) {
      if (from === 'host') return
      const type = textIn(frame, 'type') ?? ''
      if (systemSubtype(frame) === 'init') {
        if (open) report('no-result', 'a turn begins before the last one had its result')
        open = true
        any = true
      }
      if (!open && IN_A_TURN.includes(type)) {
        report('outside-turn', `${type} ${any ? 'after the result of its turn' : 'before init'}`)
      }
      if (type !== 'result') return
      open = false
      checkResult(frame, report)
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
