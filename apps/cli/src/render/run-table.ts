import type { RunSummary } from '@tutti/runtime'
import type { ForeignRunSummary } from '@tutti/storage'
import { formatTokens } from './numbers.ts'
import { allAttemptsCost } from './run-cost.ts'
import { foreignStatus, shownStatus, shownTime, shortTime } from './run-status.ts'
import { tableLines, tableWidth, type Column } from './table.ts'
import { safeLine } from './text-width.ts'

/** A run in the list, whoever wrote it. */
export interface ListedRun {
  /** Start of its last attempt; 0 when it is not known. */
  latest: number
  runId: string
  startedAt: number | undefined
  status: string
  simulated: boolean
  calls: number
  tokens: number | undefined
  /** Of all attempts together, as it is shown; absent when nothing is said about money. */
  cost?: string | undefined
  workflow: string
  /** JSON. */
  args: string
}

export interface RunTableOptions {
  width: number
  now: number
}

const NARROW_STATUS = 17
const NARROW_WORKFLOW = 12
const ROOM_FOR_ARGS = 14
const LONGEST_ARGS = 200

export function listedRun(run: RunSummary): ListedRun {
  const { record } = run
  const { usage, priorUsage, args } = record
  return {
    latest: record.attemptStartedAt,
    runId: record.runId,
    startedAt: record.startedAt,
    status: shownStatus(run),
    simulated: record.simulated === true,
    calls: record.census.total,
    tokens: allTokens(usage) + allTokens(priorUsage),
    cost: allAttemptsCost(record),
    workflow: safeLine(record.workflowName),
    args: args === undefined ? '' : safeLine(JSON.stringify(args).slice(0, LONGEST_ARGS)),
  }
}

function allTokens({ input, output, cacheRead, cacheWrite }: RunSummary['record']['usage']): number {
  return input + output + cacheRead + cacheWrite
}

/** Runs of other products are shown, and can be reused; going on with them in place is not possible. */
export function listedForeignRun(run: ForeignRunSummary): ListedRun {
  return {
    latest: run.startedAt ?? 0,
    runId: run.runId,
    startedAt: run.startedAt,
    status: foreignStatus(run),
    simulated: false,
    calls: run.agents,
    tokens: run.tokens,
    workflow: safeLine(run.workflowName),
    args: '',
  }
}

/** The list for people. Where there is little room, dates and states are shortened before names are cut. */
export function runTable(runs: ListedRun[], { width, now }: RunTableOptions): string[] {
  const withCost = runs.some(({ cost }) => cost !== undefined)
  const columns = withCost ? [...COLUMNS.slice(0, -1), COST, ...COLUMNS.slice(-1)] : COLUMNS
  const cellsOf = (run: ListedRun, time: (ms: number) => string, mark: string): string[] => {
    const cells = cellsWithoutCost(run, time, mark)
    return withCost ? [...cells.slice(0, -1), run.cost ?? '', ...cells.slice(-1)] : cells
  }
  const whole = runs.map(run => cellsOf(run, shownTime, run.simulated ? ' (simulated)' : ''))
  const hasArgs = runs.some(({ args }) => args !== '')
  const room = width - tableWidth(columns, whole)
  if (room >= 0) {
    if (!hasArgs || room < ROOM_FOR_ARGS) return tableLines(columns, whole, width)
    const withArgs = whole.map((cells, at) => [...cells, runs[at]?.args ?? ''])
    return tableLines([...columns, { title: 'ARGS', least: ROOM_FOR_ARGS - 2 }], withArgs, width)
  }
  const narrow = runs.map(run => cellsOf(run, ms => shortTime(ms, now), run.simulated ? ' (sim)' : ''))
  return tableLines(columns, narrow, width)
}

const COLUMNS: Column[] = [
  { title: 'RUN' },
  { title: 'STARTED' },
  { title: 'STATUS', least: NARROW_STATUS },
  { title: 'CALLS', align: 'right' },
  { title: 'TOKENS', align: 'right' },
  { title: 'WORKFLOW', least: NARROW_WORKFLOW },
]

const COST: Column = { title: 'COST', align: 'right' }

function cellsWithoutCost(run: ListedRun, time: (ms: number) => string, mark: string): string[] {
  const { runId, startedAt, status, calls, tokens, workflow } = run
  return [
    runId,
    startedAt === undefined ? '' : time(startedAt),
    status + mark,
    String(calls),
    tokens === undefined ? '' : formatTokens(tokens),
    workflow,
  ]
}
