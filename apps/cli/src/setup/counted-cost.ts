import { costProblem } from '@tutti/agents'
import type { ExecutionFlags } from '../command-line/invocation.ts'
import { UsageError } from '../usage-error.ts'
import type { Project } from './project.ts'

/** Whether a run is to have a budget in money, by its flags or by the settings. */
export function hasCostBudget({ budgetCost }: ExecutionFlags, { settings }: Project): boolean {
  if (budgetCost !== undefined) return budgetCost !== 'none'
  return typeof settings.tutti?.limits?.costUsd === 'number'
}

export interface CostOf {
  backend: string
  model: string | undefined
}

/** A budget that nothing is counted against would be none. Throws UsageError before anything is spent. */
export async function requireCountedCost(project: Project, { backend, model }: CostOf): Promise<void> {
  const { env, settings } = project
  const problem = await costProblem(backend, { env, settings, ...(model !== undefined && { model }) })
  if (problem === undefined) return
  throw new UsageError(
    `a budget in money cannot be held: ${problem}`,
    'Give prices in US dollars per million tokens: "tutti": {"prices": {"<model id>": {"input": 3, "output": 15}}} in the settings; or use another budget: --budget-tokens, --budget-time.',
  )
}
