import type { ShownAgent } from './shown-agent.ts'
import type { RunEvent } from '@tutti/runtime'
import { agentCost } from './cost.ts'
import { formatDuration, formatTokens } from './numbers.ts'
import { safeLine } from './text-width.ts'

/** Turns events into lines of a log: what began, what ended, what the script logged. Each line is whole. */
export function createPlainLines(): (event: RunEvent) => string | undefined {
  const ended = new Set<number>()
  return event => {
    switch (event.type) {
      case 'agent':
        if (event.row.state === 'start' || ended.has(event.row.index)) return undefined
        ended.add(event.row.index)
        return agentLine(event.row)
      case 'log':
        return `log     ${safeLine(event.row.message)}`
      case 'warning':
        return `warning ${firstLine(event.message)}`
      default:
        return undefined
    }
  }
}

/** The rest is in the summary. */
function firstLine(text: string): string {
  const [first = '', ...rest] = text.split('\n')
  return safeLine(first) + (rest.length === 0 ? '' : ' …')
}

function agentLine(row: ShownAgent): string {
  const where = row.phaseTitle === undefined ? '' : `${safeLine(row.phaseTitle)} › `
  return `${word(row).padEnd(7)} ${where}${safeLine(row.label)}${details(row)}`
}

function word({ state, cause }: ShownAgent): string {
  if (state === 'cached') return 'cached'
  if (state === 'error' && cause === 'stopped') return 'stopped'
  return state === 'error' ? 'failed' : 'done'
}

function details(row: ShownAgent): string {
  if (row.cause === 'stopped') return ''
  const cost = agentCost(row)
  if (row.state === 'error') {
    const spent = cost === undefined ? '' : ` (${cost})`
    return ` — ${row.cause ?? 'failed'}: ${safeLine(row.error ?? '')}${spent}`
  }
  const parts = [
    row.tokens ? `${formatTokens(row.tokens)} tokens` : '',
    cost ?? '',
    row.durationMs ? formatDuration(row.durationMs) : '',
  ].filter(part => part !== '')
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}
