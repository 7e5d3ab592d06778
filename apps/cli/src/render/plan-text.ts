import type { PlannedMiss, ReplayPlan } from '@tutti/runtime'
import type { Colors } from './colors.ts'
import { count, formatTokens } from './numbers.ts'
import { textDiff } from './text-diff.ts'
import { safeBlock, safeLine } from './text-width.ts'

const MOST_LISTED = 50

/** What a resume would do, for people. */
export async function planText(plan: ReplayPlan, colors: Colors): Promise<string> {
  const { runId, hits, misses, tokensSaved, warnings } = plan
  // What a call that runs again had before is told with that call.
  const replaced = new Set(misses.flatMap(({ nearest }) => nearest?.label ?? []))
  const notReached = plan.notReached.filter(({ label }) => !replaced.has(label))
  const lines = [`${colors.bold(runId)}  ${colors.dim('nothing was started')}`]
  const field = (title: string, value: string): void => {
    lines.push(`  ${colors.dim(title.padEnd(13))} ${value}`)
  }
  field('kept', `${count(hits, 'call')}, ${formatTokens(tokensSaved)} tokens saved`)
  field('run again', count(misses.length, 'call'))
  field('not reached', count(notReached.length, 'recorded result'))
  field('then', standText(plan))
  for (const warning of warnings) {
    lines.push(`  ${colors.yellow('warning'.padEnd(13))} ${safeBlock(warning).replaceAll('\n', '\n    ')}`)
  }
  if (misses.length > 0) lines.push('', colors.bold('run again'))
  for (const miss of misses.slice(0, MOST_LISTED)) lines.push(...(await missLines(miss, colors)))
  lines.push(...moreLine(misses.length))
  if (notReached.length > 0) lines.push('', colors.bold('not reached'))
  for (const { label, key } of notReached.slice(0, MOST_LISTED)) lines.push(`  ${safeLine(label || key)}`)
  lines.push(...moreLine(notReached.length))
  return `${lines.join('\n')}\n`
}

function standText({ end, error, misses }: ReplayPlan): string {
  if (end === 'threw') return `throws: ${safeBlock(error ?? 'an error').replaceAll('\n', '\n    ')}`
  if (end === 'waiting') return 'waits for these; what they lead to cannot be known'
  return misses.length === 0 ? 'returns: all of it is a replay' : 'returns without waiting for them'
}

async function missLines(miss: PlannedMiss, colors: Colors): Promise<string[]> {
  const { label, phase, place, reason, cause, prompt, nearest } = miss
  const why = cause === undefined ? reason : `${reason} (${cause})`
  const where = [phase === undefined ? '' : safeLine(phase), place ?? ''].filter(text => text !== '')
  const tail = where.length === 0 ? '' : `  ${colors.dim(where.join(' · '))}`
  const lines = [`  ${safeLine(label)}  ${colors.yellow(why)}${tail}`]
  if (nearest === undefined || nearest.prompt === prompt) return lines
  if (nearest.label !== label) lines.push(colors.dim(`    compared with ${safeLine(nearest.label)}`))
  const diff = await textDiff(nearest.prompt, prompt, { colors, context: 1, lines: 30 })
  return [...lines, ...diff.map(line => `    ${line}`)]
}

function moreLine(total: number): string[] {
  return total > MOST_LISTED ? [`  … and ${total - MOST_LISTED} more; all of them with --json`] : []
}
