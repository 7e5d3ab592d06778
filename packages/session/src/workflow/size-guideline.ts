import type { Settings } from '@tutti/protocol'

/** The number of agents above which a run counts as large. */
export interface SizeGuideline {
  /** Infinity: none. */
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
export function sizeGuideline({
  workflowSizeGuideline: given,
}: Pick<Settings, 'workflowSizeGuideline'>): SizeGuideline {
  const agents =
    typeof given === 'string' ? (WORDS[given.toLowerCase()] ?? Number(given)) : (given ?? Number.NaN)
  if (agents > 0) return { agents, from: 'workflowSizeGuideline' }
  return { agents: DEFAULT_AGENTS, from: 'the default of workflowSizeGuideline' }
}
