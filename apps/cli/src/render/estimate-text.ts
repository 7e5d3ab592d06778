import type { LaunchEstimate } from '@tutti/runtime'
import type { Colors } from './colors.ts'
import { count, formatDuration, formatTokens } from './numbers.ts'
import { safeBlock, safeLine } from './text-width.ts'

const MOST_LABELS = 8

export interface EstimateTextOptions {
  estimate: LaunchEstimate
  /** Which backend would run it, and why. */
  backendReason: string
  /** Set when the run is a large one. */
  large: string | undefined
  colors: Colors
}

/** What is known of a run before its launch. */
export function estimateText({ estimate, backendReason, large, colors }: EstimateTextOptions): string {
  const { name, firstAgents, end, error, past, warnings } = estimate
  const lines = [`${colors.bold(safeLine(name))}  ${colors.dim('nothing was started')}`]
  const field = (title: string, value: string): void => {
    lines.push(`  ${colors.dim(title.padEnd(13))} ${value}`)
  }
  field('asks first', `${count(firstAgents.length, 'agent')}${thenText(estimate)}`)
  for (const [phase, labels] of byPhase(firstAgents)) {
    const more = labels.length > MOST_LABELS ? `, … and ${labels.length - MOST_LABELS} more` : ''
    const shown = labels.slice(0, MOST_LABELS).map(safeLine).join(', ')
    lines.push(`    ${phase === '' ? '' : `${colors.bold(safeLine(phase))}  `}${shown}${more}`)
  }
  if (end === 'threw') field('throws', safeBlock(error ?? 'an error').replaceAll('\n', '\n    '))
  field('earlier runs', past === undefined ? 'none completed in this project' : pastText(past))
  field('backend', safeLine(backendReason.replace(/^Backend: /, '')))
  for (const warning of [...warnings, ...(large === undefined ? [] : [large])]) {
    lines.push(`  ${colors.yellow('warning'.padEnd(13))} ${safeBlock(warning).replaceAll('\n', '\n    ')}`)
  }
  return `${lines.join('\n')}\n`
}

function thenText({ end, firstAgents }: LaunchEstimate): string {
  if (end === 'threw') return ', then it throws'
  if (end === 'returned')
    return firstAgents.length === 0 ? ', and returns' : ', and returns without waiting for them'
  return ', then waits for results; what they lead to cannot be known'
}

function pastText({ runs, agents, tokens, durationMs }: NonNullable<LaunchEstimate['past']>): string {
  const middle = runs === 1 ? '' : 'in the middle '
  const spent = `${count(agents, 'agent')}, ${formatTokens(tokens)} tokens, ${formatDuration(durationMs)}`
  return `${runs} completed: ${middle}${spent}`
}

function byPhase(agents: LaunchEstimate['firstAgents']): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const { label, phase = '' } of agents) groups.set(phase, [...(groups.get(phase) ?? []), label])
  return groups
}
