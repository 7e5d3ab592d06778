import type { RunStatus } from '@tutti/protocol'
import type { ShownAgent } from './shown-agent.ts'
import type { Colors } from './colors.ts'
import { agentCost, costOf, shortCost } from './cost.ts'
import { count, formatDuration, formatTokens } from './numbers.ts'
import { countAgents, type AgentCounts, type ProgressState } from './progress-state.ts'
import { fitText, padLeft, padText, safeLine, textWidth } from './text-width.ts'
import { groupAgents, needsRestLine, type PhaseGroup } from './visible-agents.ts'

const WIDEST = 112
/** Below this only totals make sense. */
const NARROWEST = 19
const WITH_TOKENS = 56
/** Where costs are told. */
const WITH_COST = 66
const WITH_TIME = 34
const WITH_NOTE = 72

export interface Screen {
  columns: number
  rows: number
  colors: Colors
}

/**
 * The progress view as lines, none wider than the screen, never more than fit above the cursor's line:
 * header, phases with their agents, the last log line, totals.
 */
export function progressLines(state: ProgressState, screen: Screen, now: number): string[] {
  // The last column stays free: some terminals wrap as soon as it is written.
  const width = Math.max(1, Math.min(screen.columns - 1, WIDEST))
  const height = Math.max(1, screen.rows - 1)
  const totals = totalsLine(state, width, screen.colors)
  if (height === 1 || width < NARROWEST) return [totals]

  const header = headerLine(state, { width, colors: screen.colors, now })
  const log = state.lastLog === undefined ? [] : [logLine(state.lastLog, width, screen.colors)]
  const frame = 2 + (height > 3 ? log.length : 0)
  const groups = groupAgents({ phases: state.phases, agents: state.agents.values(), lines: height - frame })
  const costs = costOf(state.agents.values())
  const withCost = width >= WITH_COST && (costs.usd > 0 || costs.unknown > 0)
  const body = groups.flatMap(group => groupLines(group, { width, colors: screen.colors, now, withCost }))
  return [header, ...body.slice(0, height - frame), ...(height > 3 ? log : []), totals]
}

interface LineOptions {
  width: number
  colors: Colors
  now: number
  /** There is a column for what agents cost. */
  withCost?: boolean
}

function headerLine(state: ProgressState, { width, colors, now }: LineOptions): string {
  const time = formatDuration(now - state.startedAt)
  const name = fitText(safeLine(state.name), Math.max(1, width - textWidth(time) - 2))
  const room = width - textWidth(name) - textWidth(time) - 5
  const description = room < 8 ? '' : ` · ${fitText(safeLine(state.description), room)}`
  const gap = ' '.repeat(Math.max(1, width - textWidth(name) - textWidth(description) - textWidth(time)))
  return fitStyled(`${colors.bold(name)}${colors.dim(description)}${gap}${colors.dim(time)}`, width, name)
}

/** A styled line that would be too wide is shown without its style. */
function fitStyled(line: string, width: number, plain: string): string {
  return textWidth(line) <= width ? line : fitText(plain, width)
}

function groupLines(group: PhaseGroup, options: LineOptions): string[] {
  const lines: string[] = []
  if (group.title !== undefined) lines.push(phaseLine(group, options))
  lines.push(...group.shown.map(row => agentLine(row, options)))
  const shown = new Set(group.shown)
  if (needsRestLine(group, row => shown.has(row))) {
    const hidden = group.agents.filter(row => !shown.has(row))
    const counts = countsText(countAgents(hidden))
    const text = counts.includes('·') ? `${hidden.length} more: ${counts}` : counts.replace(' ', ' more ')
    lines.push(options.colors.dim(fitText(`  … ${text}`, options.width)))
  }
  return lines
}

function phaseLine({ title = '', agents }: PhaseGroup, { width, colors }: LineOptions): string {
  const counts = countAgents(agents)
  const text = [countsText(counts), shortCost(costOf(agents))].filter(part => part).join(' · ')
  const name = fitText(safeLine(title), Math.max(1, width - 2))
  const mark = phaseMark(counts, agents.length, colors)
  const room = width - 2 - textWidth(name) - 2
  const tail = agents.length === 0 || room < 6 ? '' : `  ${colors.dim(fitText(text, room))}`
  return `${mark} ${colors.bold(name)}${tail}`
}

function phaseMark(counts: AgentCounts, total: number, colors: Colors): string {
  if (total === 0) return colors.dim('○')
  if (counts.running > 0) return colors.cyan('●')
  return counts.failed > 0 ? colors.red('●') : colors.green('●')
}

function agentLine(row: ShownAgent, { width, colors, now, withCost = false }: LineOptions): string {
  const time = width >= WITH_TIME ? padLeft(formatDuration(agentTime(row, now)), 8) : ''
  const tokens = width >= WITH_TOKENS ? padLeft(row.tokens ? `${formatTokens(row.tokens)} tok` : '', 10) : ''
  const cost = withCost ? padLeft(row.costUsd === null ? '$ ?' : (agentCost(row) ?? ''), 9) : ''
  const left = width - 4 - time.length - tokens.length - cost.length
  const label = safeLine(row.label)
  const note = fitText(safeLine(noteOf(row)), noteRoom(width, left, textWidth(label)))
  const text = padText(label, Math.max(1, left - (note === '' ? 0 : textWidth(note) + 2)))
  const shown = row.state === 'start' ? text : colors.dim(text)
  const noteText =
    note === ''
      ? ''
      : `  ${row.state === 'error' && row.cause !== 'stopped' ? colors.red(note) : colors.dim(note)}`
  return `  ${agentMark(row, colors)} ${shown}${noteText}${colors.dim(tokens)}${colors.dim(cost)}${colors.dim(time)}`.trimEnd()
}

/** A note may take what the label leaves, at least a third of the room when there is space for notes at all. */
function noteRoom(width: number, left: number, label: number): number {
  const rest = left - label - 2
  return width >= WITH_NOTE ? Math.max(rest, Math.floor(left / 3)) : Math.max(0, rest)
}

function noteOf(row: ShownAgent): string {
  switch (row.state) {
    case 'error':
      return row.cause === undefined ? (row.error ?? 'failed') : row.cause.replaceAll('_', ' ')
    case 'cached':
      return 'cached'
    case 'start': {
      if ((row.attempt ?? 1) > 1) return `try ${row.attempt}: ${row.lastAttemptReason ?? 'again'}`
      if (row.lastToolName === undefined) return ''
      return row.lastToolSummary === undefined
        ? row.lastToolName
        : `${row.lastToolName} ${row.lastToolSummary}`
    }
    default:
      return ''
  }
}

function agentMark({ state, cause }: ShownAgent, colors: Colors): string {
  if (state === 'start') return colors.cyan('▸')
  if (state === 'error') return cause === 'stopped' ? colors.yellow('■') : colors.red('✗')
  return state === 'cached' ? colors.blue('=') : colors.green('✓')
}

function agentTime(row: ShownAgent, now: number): number {
  if (row.durationMs !== undefined) return row.durationMs
  return row.startedAt === undefined ? 0 : (row.endedAt ?? now) - row.startedAt
}

function logLine(message: string, width: number, colors: Colors): string {
  return colors.dim(fitText(`› ${safeLine(message)}`, width))
}

function totalsLine(state: ProgressState, width: number, colors: Colors): string {
  const counts = countAgents(state.agents.values())
  const agents = state.agents.size === 0 ? 'starting' : countsText(counts)
  const words = state.status === 'running' ? agents : `${statusWord(state.status, counts)} · ${agents}`
  const output = state.output ? ` (${state.output} output)` : ''
  const cost = shortCost(costOf(state.agents.values()))
  const tokens = counts.tokens === 0 ? '' : `${count(counts.tokens, 'token')}${output}`
  const text = [words, tokens, cost].filter(part => part).join(' · ')
  return colors.dim(fitText(text, width))
}

function statusWord(status: RunStatus, { running }: AgentCounts): string {
  if (status !== 'killed') return status
  return running > 0 ? 'stopping' : 'stopped'
}

function countsText({ running, done, cached, failed, stopped }: AgentCounts): string {
  const parts = [
    running > 0 ? `${running} running` : '',
    done > 0 ? `${done} done` : '',
    cached > 0 ? `${cached} cached` : '',
    failed > 0 ? `${failed} failed` : '',
    stopped > 0 ? `${stopped} stopped` : '',
  ]
  return parts.filter(part => part !== '').join(' · ')
}
