import type { Figure } from '../figure.ts'
import { sampleInChild } from '../samples/child.ts'
import type { Sample, SampleSpec } from '../samples/spec.ts'
import { inScratch } from '../scratch.ts'
import { repeat, seriesOf, type Series } from '../series.ts'

type Work = Pick<SampleSpec, 'shape' | 'agents' | 'resultBytes'>

interface Pair {
  fresh: Sample
  cached: Sample
}

const SMALL = 64
const thousand: Work = { shape: 'parallel', agents: 1_000, resultBytes: SMALL }
const pipeline: Work = { shape: 'pipeline', agents: 1_000, resultBytes: SMALL }
const tenThousand: Work = { shape: 'parallel', agents: 10_000, resultBytes: SMALL }
const large: Work = { shape: 'parallel', agents: 1_000, resultBytes: 2_048 }

const taken = new Map<Work, Promise<Pair[]>>()

/** 1,000 instant agents through `parallel`. */
export async function fresh(): Promise<Figure[]> {
  return [times('1,000 agents, parallel', { pairs: await pairs(thousand), kind: 'fresh', target: 400 })]
}

/** 200 items through 5 stages. */
export async function stages(): Promise<Figure[]> {
  return [times('200 × 5 agents, pipeline', { pairs: await pairs(pipeline), kind: 'fresh', target: 400 })]
}

/** The same from the journal, in a new process. */
export async function resume(): Promise<Figure[]> {
  return [
    times('1,000 agents, parallel, resumed', { pairs: await pairs(thousand), kind: 'cached', target: 200 }),
    times('200 × 5 agents, pipeline, resumed', { pairs: await pairs(pipeline), kind: 'cached', target: 200 }),
  ]
}

/** What an agent costs in a run of 10,000, against a run of 1,000. */
export async function scale(): Promise<Figure[]> {
  const [few, many] = [await pairs(thousand), await pairs(tenThousand)]
  const fewCost = seriesOf(few.map(pair => perAgent(pair.fresh, thousand)))
  const manyCost = seriesOf(many.map(pair => perAgent(pair.fresh, tenThousand)))
  return [
    times('10,000 agents, parallel', { pairs: many, kind: 'fresh' }),
    times('10,000 agents, parallel, resumed', { pairs: many, kind: 'cached' }),
    { name: 'per agent of 1,000', unit: 'µs', value: fewCost },
    { name: 'per agent of 10,000', unit: 'µs', value: manyCost },
    {
      name: 'per agent, 10,000 against 1,000',
      unit: '×',
      value: scaled(manyCost, 1 / fewCost.median),
      target: 1.3,
    },
  ]
}

/** Peak memory of the whole process, and the size of the journal. */
export async function space(): Promise<Figure[]> {
  const [small, big, many] = [await pairs(thousand), await pairs(large), await pairs(tenThousand)]
  const memory = (list: Pair[], kind: keyof Pair): Series => seriesOf(list.map(pair => pair[kind].maxRssMiB))
  const journal = (list: Pair[]): Series => seriesOf(list.map(pair => pair.fresh.journalBytes / 2 ** 20))
  return [
    { name: 'peak memory, 1,000 agents', unit: 'MiB', value: memory(small, 'fresh'), target: 150 },
    { name: 'peak memory, 1,000 agents resumed', unit: 'MiB', value: memory(small, 'cached'), target: 150 },
    { name: 'peak memory, 10,000 agents', unit: 'MiB', value: memory(many, 'fresh') },
    { name: 'journal, 1,000 agents, small results', unit: 'MiB', value: journal(small) },
    { name: 'journal, 1,000 agents, 2 KiB results', unit: 'MiB', value: journal(big), target: 10 },
  ]
}

/** Samples of one kind of work, taken once however many figures use them. */
function pairs(work: Work): Promise<Pair[]> {
  const found = taken.get(work) ?? repeat(() => inScratch(root => pairIn(root, work)))
  taken.set(work, found)
  return found
}

async function pairIn(root: string, work: Work): Promise<Pair> {
  const first = await sampleInChild({ ...work, root })
  const second = await sampleInChild({ ...work, root, resume: first.runId })
  if (first.dispatched !== work.agents || second.dispatched !== 0) {
    throw new Error(`dispatched ${first.dispatched} and then ${second.dispatched} of ${work.agents} agents`)
  }
  return { fresh: first, cached: second }
}

function times(name: string, given: { pairs: Pair[]; kind: keyof Pair; target?: number }): Figure {
  const samples = given.pairs.map(pair => pair[given.kind])
  return {
    name,
    unit: 'ms',
    value: seriesOf(samples.map(sample => sample.ms)),
    baseline: seriesOf(samples.map(sample => sample.baselineMs)),
    ...(given.target === undefined ? {} : { target: given.target }),
  }
}

function perAgent(sample: Sample, work: Work): number {
  return (sample.ms / work.agents) * 1_000
}

function scaled({ median, min, max }: Series, factor: number): Series {
  return { median: median * factor, min: min * factor, max: max * factor }
}
