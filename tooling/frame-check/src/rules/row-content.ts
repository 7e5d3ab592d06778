import { ERROR_LIMIT, LABEL_LIMIT, PREVIEW_LIMIT, stripControl, type Dialect } from '@tutti/protocol'
import type { Report } from '../problem.ts'
import { numberIn, textIn } from '../read.ts'
import type { Frame } from '../recording.ts'

const LIMITS: Record<string, number> = {
  label: LABEL_LIMIT,
  phaseTitle: LABEL_LIMIT,
  error: ERROR_LIMIT,
  promptPreview: PREVIEW_LIMIT,
  resultPreview: PREVIEW_LIMIT,
}

/** What one agent's row says about itself: bounded texts, times that fit its state, the words of the dialect. */
export function checkRow(row: Frame, dialect: Dialect, report: Report): void {
  const name = `row ${numberIn(row, 'index')}`
  const state = textIn(row, 'state')
  for (const [field, limit] of Object.entries(LIMITS)) {
    const text = textIn(row, field)
    if (text === undefined) continue
    if (text.length > limit) report('text-bounds', `${field} of ${name} has ${text.length} characters`)
    if (text !== stripControl(text)) report('text-bounds', `${field} of ${name} holds control characters`)
  }
  if (dialect === 'codebuddy' && numberIn(row, 'startedAt') === undefined) {
    report('row-times', `${name} is shown before it has started`)
  }
  if (dialect === 'claude-code' && state === 'cached') report('dialect', `${name} is in state cached`)
  const endedAt = numberIn(row, 'endedAt')
  if (state === 'start' && endedAt !== undefined)
    report('row-times', `${name} has ended and is in state start`)
  if (state !== 'start' && endedAt === undefined) report('row-times', `${name} ended at no time`)
  if (endedAt !== undefined && endedAt < (numberIn(row, 'startedAt') ?? 0)) {
    report('row-times', `${name} ended before it started`)
  }
  if (state !== 'error' && row['error'] !== undefined) report('row-state', `${name} has an error as ${state}`)
  if (state === 'error' && row['error'] === undefined && row['cause'] === undefined) {
    report('row-state', `${name} does not say why it failed`)
  }
}
