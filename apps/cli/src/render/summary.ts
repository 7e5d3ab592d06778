import type { RunEnd, RunLocations } from '@tutti/runtime'
import type { Colors } from './colors.ts'
import { runErrorText } from './error-text.ts'
import { failureLines } from './failure-lines.ts'
import { keptTreesText } from './kept-trees.ts'
import { locationLines } from './locations-text.ts'
import { count, formatDuration } from './numbers.ts'
import { runCost } from './run-cost.ts'
import { simulatedText } from './simulated-text.ts'
import { breakPath, safeBlock, safeLine, wrapText } from './text-width.ts'

const MAX_LISTED = 20
/** Column at which the values of fields begin. */
const VALUE_AT = 16

export interface SummaryOptions {
  end: RunEnd
  locations: RunLocations
  colors: Colors
  /** The command that goes on with this run. */
  resumeCommand: string
  /** The command that lists worktrees. */
  worktreesCommand?: string
  durationMs: number
  /** What is cached was taken over from another run. */
  reused?: boolean | undefined
  /** Columns there are; absent: as many as it takes. */
  width?: number | undefined
  /** The home folder, which is shown as `~`. */
  home?: string | undefined
}

/** What a person reads when a run has ended. Paths stand alone so that they can be copied. */
export function summaryText(options: SummaryOptions): string {
  const { end, locations, colors, resumeCommand } = options
  const { record } = end
  const lines = [headline(options), `  ${totals(end, options.durationMs)}`]
  const room = (options.width ?? Number.POSITIVE_INFINITY) - VALUE_AT
  const field = (name: string, ...values: string[]): void => {
    for (const [at, value] of values.entries())
      lines.push(`  ${colors.dim((at === 0 ? name : '').padEnd(13))} ${value}`)
  }

  const simulated = simulatedText(record)
  if (simulated !== undefined) field('simulated', simulated)
  const cost = runCost(record)
  if (cost !== undefined) field('cost', ...wrapText(cost, room))
  if (end.error !== undefined) list(lines, 'error', runErrorText(end.error).split('\n'))
  if (end.resultError !== undefined) field('result', safeLine(end.resultError))
  if (options.reused === true) list(lines, 'taken over', takenOver(end))
  // What a stop ended is counted above; only what went wrong is listed.
  const failures = record.failures.filter(({ cause }) => cause !== 'stopped')
  if (failures.length > 0) list(lines, 'failures', failureLines(failures))
  if (record.warnings.length > 0) list(lines, 'warnings', record.warnings.map(safeBlock))
  const kept = keptTreesText(record, options.worktreesCommand ?? 'tutti worktrees')
  if (kept !== undefined) field('worktrees', kept)
  field('run', end.runId)
  field(end.status === 'completed' && !end.degraded ? 'replay' : 'resume', resumeCommand)
  for (const { name, value } of locationLines(locations, options)) field(name, ...breakPath(value, room))
  return `${lines.join('\n')}\n`
}

/** One line for readers that only want the end. */
export function summaryLine(end: RunEnd, durationMs: number): string {
  const simulated = simulatedText(end.record)
  const note = simulated === undefined ? '' : ` · simulated: ${simulated}`
  return `${end.status} ${end.runId} ${totals(end, durationMs)}${note}\n`
}

function headline({ end, colors, durationMs }: SummaryOptions): string {
  const name = colors.bold(safeLine(end.record.workflowName))
  const time = colors.dim(`in ${formatDuration(durationMs)}`)
  switch (end.status) {
    case 'completed':
      return end.degraded
        ? `${colors.yellow('!')} ${name} completed with failures ${time}`
        : `${colors.green('✓')} ${name} completed ${time}`
    case 'failed':
      return `${colors.red('✗')} ${name} failed ${time}`
    case 'paused':
      return `${colors.yellow('‖')} ${name} paused: ${pauseText(end)} ${time}`
    default:
      return `${colors.yellow('■')} ${name} stopped ${time}`
  }
}

function pauseText({ pausedBy = 'user', resetAt }: RunEnd): string {
  return resetAt === undefined ? pausedBy : `${pausedBy} until ${new Date(resetAt).toISOString()}`
}

/** `agents` counts dispatches of this attempt: a whole replay shows 0. */
function totals(end: RunEnd, durationMs: number): string {
  const { census } = end.record
  const outcomes = (['ok', 'cached', 'failed', 'stopped', 'skipped'] as const)
    .filter(outcome => census[outcome] > 0)
    .map(outcome => `${census[outcome]} ${outcome}`)
  const calls = `${count(census.total, 'call')}${outcomes.length === 0 ? '' : `: ${outcomes.join(', ')}`}`
  const { limits, usage } = end.record
  // The budget that is most used counts output only, so what it has counted is told beside all tokens.
  const output = limits.outputTokens === null ? '' : ` output=${usage.output}`
  return `agents=${end.dispatched} tokens=${end.tokens}${output} duration=${formatDuration(durationMs)} (${calls})`
}

/** Labels of the calls whose results came from another run. */
function takenOver({ record }: RunEnd): string[] {
  const rows = record.progress.filter(row => row.type === 'workflow_agent' && row.state === 'cached')
  const labels = rows.map(row => safeLine('label' in row ? row.label : ''))
  return labels.length === 0 ? ['nothing: no call had a prompt of the other run'] : labels
}

function list(lines: string[], name: string, entries: string[]): void {
  lines.push(`  ${name}`)
  for (const entry of entries.slice(0, MAX_LISTED)) lines.push(`    ${entry.replaceAll('\n', '\n    ')}`)
  if (entries.length > MAX_LISTED) lines.push(`    … and ${entries.length - MAX_LISTED} more`)
}
