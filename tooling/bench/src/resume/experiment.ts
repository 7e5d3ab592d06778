/** A run that something happens to before it is resumed. */
export interface Experiment {
  shape: 'parallel' | 'pipeline'
  agents: number
  /** Of the times that agents take. */
  seed: number
  /** The agent of this prompt fails in the first attempt. */
  failing?: string
  /** The process dies when so many agents have ended. */
  killAt?: number
}

/** How an attempt went; both ways of finding results are measured by it. */
export interface Attempt {
  /** Agents that were really started. */
  live: number
}

export const STAGES = 5
export const CONCURRENCY = 16

/** Milliseconds that an agent takes in an attempt: not the same the next time. */
export function jitter(experiment: Experiment, attempt: number, prompt: string): number {
  return hash(`${experiment.seed} ${attempt} ${prompt}`) % 5
}

function hash(text: string): number {
  let sum = 2_166_136_261
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 16_777_619)
  sum = Math.imul(sum ^ (sum >>> 16), 0x85eb_ca6b)
  return (sum ^ (sum >>> 13)) >>> 0
}
