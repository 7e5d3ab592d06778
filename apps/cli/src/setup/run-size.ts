import type { Settings } from '@tutti/protocol'
import { count } from '../render/numbers.ts'

/** The number of agents above which a run counts as large. */
export interface SizeGuideline {
  agents: number
  /** Where it comes from, for people. */
  from: string
}

const DEFAULT_AGENTS = 100
const WORDS: Record<string, number> = {
  small: 5,
  medium: 15,
  large: 50,
  unrestricted: Number.POSITIVE_INFINITY,
}

/**
 * `workflowSizeGuideline`: a number of agents, or a word that other programs use for one; 100 when it is not set or
 * says nothing known.
 */
export function sizeGuideline({ workflowSizeGuideline: given }: Settings): SizeGuideline {
  const agents =
    typeof given === 'string' ? (WORDS[given.toLowerCase()] ?? Number(given)) : (given ?? Number.NaN)
  if (agents > 0) return { agents, from: 'workflowSizeGuideline' }
  return { agents: DEFAULT_AGENTS, from: 'the default of workflowSizeGuideline' }
}

/** A line of advice when that many agents are more than the guideline; `what` says whose agents they are. */
export function largeRunWarning(
  agents: number,
  what: string,
  { agents: most, from }: SizeGuideline,
): string | undefined {
  if (agents <= most) return undefined
  return `large run: ${what} ${count(agents, 'agent')}, more than ${most} (${from}); --max-agents and the --budget flags limit it`
}
