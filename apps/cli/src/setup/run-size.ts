import { sizeGuideline, type SizeGuideline } from '@tutti/session'
import { count } from '../render/numbers.ts'

export { sizeGuideline }

/** A line of advice when that many agents are more than the guideline; `what` says whose agents they are. */
export function largeRunWarning(
  agents: number,
  what: string,
  { agents: most, from }: SizeGuideline,
): string | undefined {
  if (agents <= most) return undefined
  return `large run: ${what} ${count(agents, 'agent')}, more than ${most} (${from}); --max-agents and the --budget flags limit it`
}
