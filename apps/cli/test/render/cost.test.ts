import type { AgentRow, RunRecord } from '@tutti/protocol'
import { describe, expect, test } from 'vitest'
import { agentCost, costOf, shortCost, wholeCost } from '../../src/render/cost.ts'
import { allAttemptsCost, costReport, runCost } from '../../src/render/run-cost.ts'
import { record, row } from '../support/runs.ts'

const agent = (costUsd: number | null | undefined, changes: Partial<AgentRow> = {}): AgentRow =>
  row(1, { state: 'done', ...(costUsd !== undefined && { costUsd }), ...changes })

describe('the cost of agents', () => {
  test('is the sum of what is known', () => {
    const cost = costOf([agent(0.5), agent(0.25), agent(undefined)])
    expect([cost.usd, shortCost(cost), wholeCost(cost)]).toEqual([0.75, '$0.75', '$0.75'])
  })

  test('is unknown, never nothing, where no price is known', () => {
    const cost = costOf([agent(null), agent(null)])
    expect([shortCost(cost), wholeCost(cost)]).toEqual(['cost unknown', 'unknown for 2 agents'])
    expect(agentCost(agent(null))).toBe('cost unknown')
  })

  test('says when a part of it is unknown', () => {
    const cost = costOf([agent(0.5), agent(null)])
    expect([shortCost(cost), wholeCost(cost)]).toEqual(['$0.50 + unknown', '$0.50, unknown for 1 agent'])
  })

  test('is not told where nothing is said about money, nor of agents that took an earlier result', () => {
    expect(shortCost(costOf([agent(undefined)]))).toBeUndefined()
    expect(wholeCost(costOf([agent(undefined)]))).toBeUndefined()
    expect(agentCost(agent(3, { state: 'cached' }))).toBeUndefined()
  })
})

describe('the cost of a run', () => {
  const usage = (costUsd: number | null | undefined): RunRecord['usage'] => ({
    ...record().usage,
    ...(costUsd !== undefined && { costUsd }),
  })
  const run = (
    now: number | null | undefined,
    before: number | null | undefined,
    rows: AgentRow[] = [],
  ): RunRecord =>
    record({
      usage: usage(now),
      priorUsage: usage(before),
      progress: [
        { type: 'workflow_phase', index: 1, title: 'Find' },
        ...rows.map((one, at) => ({ ...one, index: at + 1, key: 'k', n: 1, phaseIndex: 1 })),
      ],
    })

  test.each([
    [undefined, undefined, undefined, undefined],
    [0.5, undefined, '$0.50', '$0.50'],
    [0.5, 0.25, '$0.50 · earlier attempts $0.25', '$0.75'],
    [undefined, 0.25, '$0.00 · earlier attempts $0.25', '$0.25'],
    [null, 0.25, 'unknown · earlier attempts $0.25', 'unknown'],
    [0.5, null, '$0.50 · earlier attempts unknown', 'unknown'],
  ])('of %s now and %s before is told as "%s", in a list as "%s"', (...[now, before, text, listed]) => {
    expect(runCost(run(now, before))).toBe(text)
    expect(allAttemptsCost(run(now, before))).toBe(listed)
  })

  test('names the models that have no price', () => {
    const rows = [agent(0.5), agent(null, { model: 'mystery' }), agent(null, { model: 'mystery' })]
    expect(runCost(run(null, undefined, rows))).toBe(
      '$0.50, unknown for 2 agents; tutti.prices has no price for mystery',
    )
  })

  test('says of which agents no tokens were reported, where a price would not help', () => {
    const rows = [agent(null, { model: 'known', tokens: 0 }), agent(null, { model: 'mystery', tokens: 5 })]
    expect(runCost(run(null, undefined, rows))).toBe(
      'unknown for 2 agents; tutti.prices has no price for mystery; no tokens were reported for 1',
    )
  })

  test('is told to programs by phase', () => {
    expect(costReport(run(null, 0.25, [agent(0.5), agent(null)]))).toEqual({
      usd: null,
      priorUsd: 0.25,
      phases: [{ title: 'Find', usd: 0.5, unknownAgents: 1 }],
    })
    expect(costReport(run(undefined, undefined))).toEqual({
      phases: [{ title: 'Find', usd: 0, unknownAgents: 0 }],
    })
  })
})
