import type { RecordAgentRow, RunRecord } from '@tutti/protocol'
import { costOf, wholeCost } from './cost.ts'
import { formatDollars } from './numbers.ts'
import { safeLine } from './text-width.ts'

/** What the attempt of a record cost, and earlier ones apart; undefined when nothing is said about money. */
export function runCost(record: RunRecord): string | undefined {
  const now = nowCost(record)
  const before = amount(record.priorUsage.costUsd)
  if (before === undefined) return now
  return `${now ?? formatDollars(0)} · earlier attempts ${before}`
}

/** What a run cost, for programs. Null: not known. Absent: nothing is said about money. */
export interface CostReport {
  usd?: number | null
  /** In earlier attempts. */
  priorUsd?: number | null
  /** Of this attempt; what is known, and agents whose cost is not. */
  phases: { title: string; usd: number; unknownAgents: number }[]
}

export function costReport({ usage, priorUsage, progress }: RunRecord): CostReport {
  const rows = agentRows(progress)
  const phases = progress.filter(row => row.type === 'workflow_phase')
  return {
    ...(usage.costUsd !== undefined && { usd: usage.costUsd }),
    ...(priorUsage.costUsd !== undefined && { priorUsd: priorUsage.costUsd }),
    phases: phases.map(({ index, title }) => {
      const { usd, unknown } = costOf(rows.filter(row => row.phaseIndex === index))
      return { title, usd, unknownAgents: unknown }
    }),
  }
}

/** The same in one amount, for a list. */
export function allAttemptsCost({ usage, priorUsage }: RunRecord): string | undefined {
  const parts = [usage.costUsd, priorUsage.costUsd]
  if (parts.includes(null)) return 'unknown'
  const told = parts.filter(part => typeof part === 'number')
  return told.length === 0 ? undefined : formatDollars(told.reduce((sum, part) => sum + part, 0))
}

/** What it cost so far, by agents, with the models nobody has a price for. */
function nowCost({ usage, progress }: RunRecord): string | undefined {
  if (usage.costUsd !== null) return amount(usage.costUsd)
  const rows = agentRows(progress)
  const cost = costOf(rows)
  const advice = [unpricedModels(rows), silentAgents(rows)].map(text => text && `; ${text}`).join('')
  return `${(cost.unknown === 0 ? undefined : wholeCost(cost)) ?? 'unknown'}${advice}`
}

function unpricedModels(rows: RecordAgentRow[]): string {
  const unpriced = rows.filter(row => row.costUsd === null && row.tokens !== 0)
  const models = new Set(unpriced.map(({ model }) => model ?? ''))
  models.delete('')
  const named = [...models].slice(0, 3).map(safeLine).join(', ')
  return named === '' ? '' : `tutti.prices has no price for ${named}`
}

/** A price is of no use where the backend tells no tokens. */
function silentAgents(rows: RecordAgentRow[]): string {
  const silent = rows.filter(row => row.costUsd === null && row.tokens === 0).length
  return silent === 0 ? '' : `no tokens were reported for ${silent}`
}

function amount(costUsd: number | null | undefined): string | undefined {
  if (costUsd === undefined) return undefined
  return costUsd === null ? 'unknown' : formatDollars(costUsd)
}

function agentRows(progress: RunRecord['progress']): RecordAgentRow[] {
  return progress.filter((row): row is RecordAgentRow => row.type === 'workflow_agent')
}
