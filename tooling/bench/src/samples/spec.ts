/** One run to measure, in a process of its own. */
export interface SampleSpec {
  shape: 'parallel' | 'pipeline'
  agents: number
  /** Size of each agent's result. */
  resultBytes: number
  /** Root of the store; made by the caller. */
  root: string
  /** Replay this run instead of a fresh one. */
  resume?: string
}

export interface Sample {
  runId: string
  /** From a ready sandbox to the durable end. */
  ms: number
  /** The same work as plain promises and plain appends to one file. */
  baselineMs: number
  journalBytes: number
  maxRssMiB: number
  dispatched: number
}

const STAGES = 5

/** The script of a sample. Its log line marks the moment at which the sandbox is ready. */
export function scriptOf({ shape, agents }: Pick<SampleSpec, 'shape' | 'agents'>): string {
  const head = `export const meta = { name: 'bench', description: 'Benchmark' }\nlog('ready')\n`
  if (shape === 'parallel') {
    return `${head}return (await parallel(Array.from({ length: ${agents} }, (_, i) => () => agent('task ' + i, { label: 't' + i })))).length`
  }
  const stages = Array.from(
    { length: STAGES },
    (_, s) => `(_, i) => agent('stage ${s} of ' + i, { label: 's${s}-' + i })`,
  )
  return `${head}return (await pipeline(Array.from({ length: ${agents / STAGES} }, (_, i) => i), ${stages.join(', ')})).length`
}
