import type { Dialect } from '@tutti/protocol'
import type { Report } from '../problem.ts'
import { numberIn, textIn } from '../read.ts'
import type { Frame } from '../recording.ts'
import { checkRow } from './row-content.ts'

/** Rules about the rows of one task. */
export interface RowRules {
  /** A snapshot; `late`: after the notification of a stop. */
  snapshot(rows: Frame[], late: boolean): void
  /** What a frame says is the sum of the tokens of the newest rows. */
  total(tokens: number | undefined, where: string): void
  /** Every agent that was shown has been shown in a state that is an end. */
  allEnded(when: string): void
}

export interface RowRulesOptions {
  taskId: string
  dialect: Dialect
}

const KINDS = ['workflow_phase', 'workflow_agent', 'workflow_log']
const ABORTED = 'subagent aborted: '

export function createRowRules(report: Report, { taskId, dialect }: RowRulesOptions): RowRules {
  const agents = new Map<number, Frame>()
  let last: string | undefined
  let sum = 0

  const agent = (row: Frame, late: boolean): void => {
    const index = numberIn(row, 'index')
    if (index === undefined) return
    const before = agents.get(index)
    const name = `row ${index} of ${taskId}`
    if (before !== undefined) checkIdentity(before, row, name)
    if (late && before?.['state'] === 'start' && row['state'] === 'error') {
      if (!textIn(row, 'error')?.startsWith(ABORTED)) report('late-row', `${name} ends without "${ABORTED}"`)
    }
    if (late && before === undefined) report('late-row', `${name} is new after the notification`)
    agents.set(index, row)
  }

  const checkIdentity = (before: Frame, row: Frame, name: string): void => {
    for (const field of dialect === 'codebuddy' ? ['label', 'agentId'] : ['label']) {
      if (before[field] !== row[field]) report('row-identity', `${name} has another ${field} than before`)
    }
    const tries = (of: Frame): number => numberIn(of, 'attempt') ?? 1
    if (before['state'] !== 'start' && row['state'] === 'start' && tries(row) <= tries(before)) {
      report('row-revived', `${name} had ended as ${textIn(before, 'state')}`)
    }
  }

  return {
    snapshot(rows, late) {
      const text = JSON.stringify(rows)
      if (text === last) report('snapshot-unchanged', `the rows of ${taskId} are what they were`)
      last = text
      checkOrder(rows, problem => report('row-order', `${taskId}: ${problem}`))
      const shown = rows.filter(row => row['type'] === 'workflow_agent')
      for (const row of shown) {
        agent(row, late)
        checkRow(row, dialect, report)
      }
      if (dialect === 'claude-code' && rows.some(row => row['type'] === 'workflow_log')) {
        report('dialect', `${taskId} shows its log`)
      }
      for (const index of agents.keys()) {
        if (!shown.some(row => row['index'] === index))
          report('row-lost', `row ${index} of ${taskId} is gone`)
      }
      sum = shown.reduce((all, row) => all + (numberIn(row, 'tokens') ?? 0), 0)
    },
    total(tokens, where) {
      if (tokens !== undefined && tokens !== sum) {
        report('token-sum', `${where} of ${taskId} says ${tokens} tokens, its rows have ${sum}`)
      }
    },
    allEnded(when) {
      for (const [index, row] of agents) {
        if (row['state'] === 'start') report('row-open', `row ${index} of ${taskId} did not end ${when}`)
      }
    },
  }
}

/** Phases first, then agents, then the log; each by index. */
function checkOrder(rows: Frame[], problem: (text: string) => void): void {
  for (const [at, row] of rows.entries()) {
    const before = rows[at - 1]
    if (before === undefined) continue
    const kinds = kindOf(row) - kindOf(before)
    const steps = (numberIn(row, 'index') ?? 0) - (numberIn(before, 'index') ?? 0)
    if (kinds < 0 || (kinds === 0 && kindOf(row) < KINDS.length && steps <= 0)) {
      problem(`${nameOf(row)} after ${nameOf(before)}`)
    }
  }
}

/** Rows of types that this version does not know come last. */
function kindOf(row: Frame): number {
  const kind = KINDS.indexOf(textIn(row, 'type') ?? '')
  return kind < 0 ? KINDS.length : kind
}

function nameOf(row: Frame): string {
  return `${textIn(row, 'type')} ${numberIn(row, 'index')}`
}
