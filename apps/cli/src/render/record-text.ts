import type { RecordAgentRow, RunRecord } from '@tutti/protocol'
import type { RunLocations } from '@tutti/runtime'
import type { Colors } from './colors.ts'
import { agentCost, costOf, shortCost } from './cost.ts'
import { runErrorText } from './error-text.ts'
import { failureLines } from './failure-lines.ts'
import { keptTreeLines } from './kept-trees.ts'
import { locationLines } from './locations-text.ts'
import { formatDollars, formatDuration, formatTokens } from './numbers.ts'
import { runCost } from './run-cost.ts'
import { shownStatus, shownTime } from './run-status.ts'
import { simulatedText } from './simulated-text.ts'
import { fitText, safeBlock, safeLine } from './text-width.ts'

const ARGS_WIDTH = 200

export interface ShownRun {
  record: RunRecord
  locations: RunLocations
  interrupted: boolean
  /** The command that goes on with it. */
  resumeCommand: string
}

/** Everything about a run that fits into a few screens. */
export function recordText(run: ShownRun, colors: Colors): string {
  const { record } = run
  const lines = [`${colors.bold(safeLine(record.workflowName))}  ${shownStatus(run)}`]
  const field = (name: string, value: string | undefined): void => {
    if (value !== undefined) lines.push(`  ${colors.dim(name.padEnd(13))} ${value}`)
  }
  field('description', safeLine(record.description))
  field('run', record.runId)
  field('attempt', String(record.attempt))
  field('started', shownTime(record.startedAt))
  field('ended', record.endedAt === undefined ? undefined : shownTime(record.endedAt))
  if (record.status === 'running' && record.owner !== undefined) {
    field('owner', `process ${record.owner.pid} on ${record.owner.host}`)
  }
  field('paused by', record.pausedBy)
  field('backend', record.backend)
  field('model', record.model)
  field('simulated', simulatedText(record))
  field(
    'args',
    record.args === undefined ? undefined : fitText(safeLine(JSON.stringify(record.args)), ARGS_WIDTH),
  )
  field('calls', censusLine(run))
  field('tokens', tokensLine(record))
  field('cost', runCost(record))
  field('budget', budgetLine(record))
  lines.push(...phaseLines(run, colors))
  section(lines, 'worktrees', keptTreeLines(record))
  section(lines, 'failures', failureLines(record.failures))
  section(lines, 'warnings', record.warnings.map(safeBlock))
  if (record.error !== undefined) section(lines, 'error', runErrorText(record.error).split('\n'))
  section(lines, 'log', record.logs.slice(-10).map(safeLine))
  field('result', record.resultPreview === undefined ? undefined : safeLine(record.resultPreview))
  field('resume', canGoOn(run) ? run.resumeCommand : undefined)
  for (const { name, value } of locationLines(run.locations)) field(name, value)
  return `${lines.join('\n')}\n`
}

/** A run that has ended in another way than well, and belongs to nobody. */
function canGoOn({ record: { status, degraded }, interrupted }: ShownRun): boolean {
  return interrupted || degraded || status === 'failed' || status === 'paused' || status === 'killed'
}

/** Calls that have not ended have a row only once they have a slot. */
function censusLine({ record, interrupted }: ShownRun): string {
  const { census, progress, status } = record
  const counts = OUTCOMES.filter(outcome => census[outcome] > 0).map(
    outcome => `${census[outcome]} ${outcome}`,
  )
  if (status === 'running' || status === 'pending') {
    const open = census.total - OUTCOMES.reduce((sum, outcome) => sum + census[outcome], 0)
    const started = progress.filter(row => row.type === 'workflow_agent' && isAtWork(row)).length
    const working = Math.min(open, started)
    const [at, waiting] = interrupted ? ['were at work', 'waited'] : ['at work', 'waiting']
    if (working > 0) counts.push(`${working} ${at}`)
    if (open > working) counts.push(`${open - working} ${waiting} for a slot`)
  }
  return [String(census.total), ...counts].join(' · ')
}

const OUTCOMES = ['ok', 'cached', 'failed', 'stopped', 'skipped'] as const

function isAtWork(row: RunRecord['progress'][number]): boolean {
  return 'state' in row && row.state === 'start' && row.startedAt !== undefined
}

/** The budgets that are set, each with what it has counted so far. */
function budgetLine({ limits, usage, priorUsage }: RunRecord): string | undefined {
  const output = usage.output + priorUsage.output
  const set = [
    limits.outputTokens === null ? '' : `${output} of ${limits.outputTokens} output tokens`,
    typeof limits.tokens === 'number' ? `${sum(usage) + sum(priorUsage)} of ${limits.tokens} tokens` : '',
    typeof limits.costUsd === 'number' ? costBudget(limits.costUsd, usage, priorUsage) : '',
    typeof limits.wallMs === 'number' ? `${formatDuration(limits.wallMs)} at most` : '',
  ].filter(text => text !== '')
  return set.length === 0 ? undefined : set.join(' · ')
}

function costBudget(limit: number, now: RunRecord['usage'], prior: RunRecord['usage']): string {
  const parts = [now.costUsd, prior.costUsd]
  if (parts.includes(null)) return `an unknown part of ${formatDollars(limit)}`
  const spent = parts.reduce<number>((total, part) => total + (part ?? 0), 0)
  return `${formatDollars(spent)} of ${formatDollars(limit)}`
}

function tokensLine({ usage, priorUsage }: RunRecord): string {
  const earlier = sum(priorUsage)
  return `${sum(usage)} (${usage.output} output)${earlier === 0 ? '' : `, ${earlier} in earlier attempts`}`
}

function sum(usage: RunRecord['usage']): number {
  return usage.input + usage.output + usage.cacheRead + usage.cacheWrite
}

function phaseLines({ record: { progress }, interrupted }: ShownRun, colors: Colors): string[] {
  const line = (row: RecordAgentRow): string => agentLine(row, interrupted, colors)
  const agents = progress.filter((row): row is RecordAgentRow => row.type === 'workflow_agent')
  const phases = progress.filter(row => row.type === 'workflow_phase')
  const loose = agents.filter(row => row.phaseIndex === undefined)
  return [
    ...loose.map(line),
    ...phases.flatMap(phase => {
      const rows = agents.filter(row => row.phaseIndex === phase.index)
      const cost = shortCost(costOf(rows))
      const tail = cost === undefined ? '' : colors.dim(`  ${cost}`)
      return [`  ${colors.bold(safeLine(phase.title))}${tail}`, ...rows.map(line)]
    }),
  ]
}

function agentLine(row: RecordAgentRow, interrupted: boolean, colors: Colors): string {
  const state = shownState(row, interrupted, colors)
  const spent = [
    row.tokens ? `${formatTokens(row.tokens)} tokens` : '',
    agentCost(row) ?? '',
    row.durationMs ? formatDuration(row.durationMs) : '',
  ].filter(text => text !== '')
  return `    ${state}  ${safeLine(row.label)}${spent.length === 0 ? '' : colors.dim(`  ${spent.join(', ')}`)}`
}

function shownState(row: RecordAgentRow, interrupted: boolean, colors: Colors): string {
  if (row.state === 'error') return colors.red(row.cause ?? 'failed')
  if (row.state !== 'start') return row.state
  if (interrupted) return 'unfinished'
  return isAtWork(row) ? 'at work' : 'waiting'
}

function section(lines: string[], name: string, entries: string[]): void {
  if (entries.length === 0) return
  lines.push(`  ${name}`, ...entries.map(entry => `    ${entry.replaceAll('\n', '\n    ')}`))
}
