import { describe, expect, it } from 'vitest'
import type { PhaseBudget, RunLimits } from '@tutti/protocol'
import { Budget } from '../../src/run/budget.ts'
import { defaultLimits } from '../../src/run/limits.ts'
import { noUsage } from '../../src/run/run-state.ts'
import { createStage, script } from '../support/stage.ts'

function budgetOf(
  limits: Partial<RunLimits>,
  phases: Record<string, PhaseBudget> = {},
): {
  budget: Budget
  warnings: string[]
  pass(ms: number): void
} {
  let now = 1000
  const warnings: string[] = []
  const budget = new Budget({
    limits: { ...defaultLimits(4), ...limits },
    phases: new Map(Object.entries(phases)),
    prior: { ...noUsage(), output: 10 },
    priorByPhase: new Map([['P', { ...noUsage(), output: 5 }]]),
    priorMs: 100,
    now: () => now,
    warn: message => warnings.push(message),
  })
  return { budget, warnings, pass: ms => void (now += ms) }
}

describe('a budget', () => {
  it('counts what earlier attempts spent', () => {
    const { budget } = budgetOf({ outputTokens: 15 })
    expect(budget.refusal(undefined)).toBeUndefined()
    budget.spend(undefined, { ...noUsage(), output: 5 })
    expect(budget.refusal(undefined)).toMatch(/15 output tokens for the run is spent \(15 output tokens\)/)
  })

  it('is kept in tokens of all kinds, dollars and wall clock too', () => {
    const tokens = budgetOf({ tokens: 20 })
    tokens.budget.spend(undefined, { ...noUsage(), input: 4, cacheRead: 6 })
    expect(tokens.budget.refusal(undefined)).toMatch(/20 tokens/)
    const cost = budgetOf({ costUsd: 0.5 })
    cost.budget.spend(undefined, { ...noUsage(), costUsd: 0.5 })
    expect(cost.budget.refusal(undefined)).toMatch(/\$0\.50/)
    const wall = budgetOf({ wallMs: 200 })
    expect(wall.budget.refusal(undefined)).toBeUndefined()
    wall.pass(100)
    expect(wall.budget.refusal(undefined)).toMatch(/200 ms/)
  })

  it('of a phase holds only its own agents', () => {
    const { budget } = budgetOf({}, { P: { outputTokens: 8 } })
    budget.spend('P', { ...noUsage(), output: 3 })
    expect(budget.refusal('P')).toMatch(/phase "P"/)
    expect([budget.refusal('Q'), budget.refusal(undefined)]).toEqual([undefined, undefined])
  })

  it('warns once when four fifths are spent', () => {
    const { budget, warnings } = budgetOf({ outputTokens: 20 })
    for (let i = 0; i < 4; i++) budget.spend(undefined, { ...noUsage(), output: 3 })
    expect(warnings).toEqual(['16 output tokens of the budget of 20 output tokens for the run are spent'])
  })
})

describe('a budget in dollars', () => {
  it('says once that it cannot hold agents whose cost is not known', () => {
    const { budget, warnings } = budgetOf({ costUsd: 1 })
    for (let i = 0; i < 2; i++) budget.spend(undefined, { ...noUsage(), costUsd: null })
    expect(warnings).toEqual(['the cost of an agent is not known: the budget in US dollars cannot hold it'])
    const other = budgetOf({ outputTokens: 100 })
    other.budget.spend(undefined, { ...noUsage(), costUsd: null })
    expect(other.warnings).toEqual([])
  })
})

describe('a run with a budget', () => {
  it('of a phase stops dispatching there, and its error names the phase', async () => {
    const stage = createStage({ limits: { concurrency: 1 } })
    const body = `phase('P')\nconst a = await agent('a', { label: 'a' })\ntry { await agent('b', { label: 'b' }) } catch (e) { return [a, e.code, e.message.includes('phase "P"')] }`
    const end = await stage.run(script(body, `phases: [{ title: 'P', budget: 10 }]`), {
      '*': { ok: 1, outputTokens: 10 },
    })
    expect(end.value).toEqual([1, 'budget', true])
    expect(end.record.warnings).toHaveLength(1)
  })

  it('counts failed agents', async () => {
    const stage = createStage({ limits: { concurrency: 1, outputTokens: 10 } })
    const end = await stage.run(`await agent('a', { label: 'a' })\nawait agent('b', { label: 'b' })`, {
      '*': { die: 'refused', outputTokens: 10 },
    })
    expect(end).toMatchObject({ status: 'failed', error: { code: 'budget' }, dispatched: 1 })
  })
})
