import type { Figure } from '../figure.ts'
import { attemptByKey } from '../resume/by-key.ts'
import { attemptByPosition } from '../resume/by-position.ts'
import { CONCURRENCY, type Attempt, type Experiment } from '../resume/experiment.ts'
import { inScratch } from '../scratch.ts'
import { REPEATS, seriesOf } from '../series.ts'

interface Question {
  name: string
  experiment: Omit<Experiment, 'seed'>
  target: number
  /** What counts, of the first attempt and the resumed one. Default: agents started by the latter. */
  counts?: (first: Attempt, second: Attempt) => number
}

const AGENTS = 1_000

/** Agents that were paid for twice. */
const twice = (first: Attempt, second: Attempt): number => first.live + second.live - AGENTS

const questions: Question[] = [
  {
    name: 'resumed unchanged, 200 × 5',
    experiment: { shape: 'pipeline', agents: AGENTS },
    target: 0,
  },
  {
    name: 'one of 1,000 in parallel failed early',
    experiment: { shape: 'parallel', agents: AGENTS, failing: 'task 4' },
    target: 1,
  },
  {
    name: 'one of 200 × 5 failed early',
    experiment: { shape: 'pipeline', agents: AGENTS, failing: 'stage 0 of 4' },
    target: 5,
  },
  {
    name: 'killed at 500 of 1,000 in parallel: twice',
    experiment: { shape: 'parallel', agents: AGENTS, killAt: 500 },
    target: CONCURRENCY,
    counts: twice,
  },
  {
    name: 'killed at 500 of 200 × 5: twice',
    experiment: { shape: 'pipeline', agents: AGENTS, killAt: 500 },
    target: CONCURRENCY,
    counts: twice,
  },
]

/** What a resume starts again, of 1,000 agents that take a random time; beside it the same by position. */
export async function resumeCalls(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const question of questions) figures.push(await answer(question))
  return figures
}

async function answer({ name, experiment, target, counts }: Question): Promise<Figure> {
  const count = counts ?? ((_: Attempt, second: Attempt) => second.live)
  const [ours, theirs]: [number[], number[]] = [[], []]
  for (let seed = 1; seed <= REPEATS; seed++) {
    ours.push(count(...(await byKey({ ...experiment, seed }))))
    theirs.push(count(...(await byPosition({ ...experiment, seed }))))
  }
  return { name, unit: 'calls', value: seriesOf(ours), baseline: seriesOf(theirs), target }
}

function byKey(experiment: Experiment): Promise<[Attempt, Attempt]> {
  return inScratch(async root => {
    const first = await attemptByKey({ experiment, root, attempt: 1 })
    return [first, await attemptByKey({ experiment, root, attempt: 2, runId: first.runId })]
  })
}

async function byPosition(experiment: Experiment): Promise<[Attempt, Attempt]> {
  const first = await attemptByPosition(experiment, 1, [])
  const { killAt: _, ...rest } = experiment
  return [first, await attemptByPosition(rest, 2, first.positions)]
}
