import type { PhaseBudget, RunLimits } from '@tutti/protocol'
import type { AgentUsage, RunUsage } from '@tutti/protocol'
import { addUsage, noUsage, tokensOf } from './run-state.ts'

const WARN_AT = 0.8

export interface BudgetOptions {
  limits: RunLimits
  phases: ReadonlyMap<string, PhaseBudget>
  /** Spent by earlier attempts, and by which phase. */
  prior: RunUsage
  priorByPhase: ReadonlyMap<string, RunUsage>
  /** Milliseconds that earlier attempts took. */
  priorMs: number
  now(): number
  /** Told once per budget when most of it is spent. */
  warn(message: string): void
}

/** What is left of the budgets of a run and its phases. Failed and stopped agents count. */
export class Budget {
  readonly #options: BudgetOptions
  readonly #startedAt: number
  readonly #phases = new Map<string, { spent: RunUsage; startedAt: number }>()
  readonly #warned = new Set<string>()
  #spent: RunUsage

  constructor(options: BudgetOptions) {
    this.#options = options
    this.#startedAt = options.now()
    this.#spent = options.prior
  }

  /** An agent ended. */
  spend(phase: string | undefined, usage: AgentUsage): void {
    this.#spent = addUsage(this.#spent, usage)
    if (phase !== undefined) {
      const entry = this.#phase(phase)
      entry.spent = addUsage(entry.spent, usage)
    }
    this.#warnEarly(phase)
    if (usage.costUsd === null) this.#warnUnknownCost(phase)
  }

  /** Why an agent of that phase may not be dispatched; undefined when it may. */
  refusal(phase: string | undefined): string | undefined {
    const over = this.#accounts(phase).find(({ spent, total }) => spent >= total)
    if (over === undefined) return undefined
    const { what, total, spent, unit } = over
    return `the budget of ${amount(total, unit)} for ${what} is spent (${amount(spent, unit)}); raise it on resume, finished work is kept`
  }

  #warnEarly(phase: string | undefined): void {
    for (const { what, total, spent, unit } of this.#accounts(phase)) {
      const id = `${what} ${unit}`
      if (spent < total * WARN_AT || this.#warned.has(id)) continue
      this.#warned.add(id)
      this.#options.warn(
        `${amount(spent, unit)} of the budget of ${amount(total, unit)} for ${what} are spent`,
      )
    }
  }

  #warnUnknownCost(phase: string | undefined): void {
    const limited = this.#accounts(phase).some(({ unit }) => unit === 'US dollars')
    if (!limited || this.#warned.has('cost')) return
    this.#warned.add('cost')
    this.#options.warn('the cost of an agent is not known: the budget in US dollars cannot hold it')
  }

  #accounts(phase: string | undefined): Account[] {
    const { limits, phases, priorMs, now } = this.#options
    const accounts = accountsOf('the run', limits, {
      usage: this.#spent,
      ms: priorMs + now() - this.#startedAt,
    })
    const budget = phase === undefined ? undefined : phases.get(phase)
    if (phase === undefined || budget === undefined) return accounts
    const { spent, startedAt } = this.#phase(phase)
    return [...accounts, ...accountsOf(`phase "${phase}"`, budget, { usage: spent, ms: now() - startedAt })]
  }

  #phase(title: string): { spent: RunUsage; startedAt: number } {
    let entry = this.#phases.get(title)
    if (entry === undefined) {
      const spent = this.#options.priorByPhase.get(title) ?? noUsage()
      this.#phases.set(title, (entry = { spent, startedAt: this.#options.now() }))
    }
    return entry
  }
}

interface Account {
  what: string
  unit: 'output tokens' | 'tokens' | 'US dollars' | 'ms'
  total: number
  spent: number
}

interface Spending {
  usage: RunUsage
  ms: number
}

type Totals = Pick<RunLimits, 'tokens' | 'costUsd' | 'wallMs'> & { outputTokens?: number | null }

function accountsOf(what: string, totals: Totals, { usage, ms }: Spending): Account[] {
  const { outputTokens, tokens, costUsd, wallMs } = totals
  const all: [Account['unit'], number | null | undefined, number][] = [
    ['output tokens', outputTokens, usage.output],
    ['tokens', tokens, tokensOf(usage)],
    ['US dollars', costUsd, usage.costUsd ?? 0],
    ['ms', wallMs, ms],
  ]
  return all.flatMap(([unit, total, spent]) =>
    total === null || total === undefined ? [] : [{ what, unit, total, spent }],
  )
}

function amount(value: number, unit: Account['unit']): string {
  return unit === 'US dollars' ? `$${value.toFixed(2)}` : `${value} ${unit}`
}
