import { contest, type Contender, type ContestSample } from '../agents/contest.ts'
import type { Figure, Unit } from '../figure.ts'
import { inScratch } from '../scratch.ts'
import { repeat, seriesOf } from '../series.ts'

const CPU_MS = 15
const RSS_MIB = 400

/** 1,000 agents of four turns each on the backend `model`, beside its provider's package and beside bare `fetch`. */
export async function agents(): Promise<Figure[]> {
  const turns = await repeat(async () => ({
    model: await sampleOf('model'),
    provider: await sampleOf('provider'),
    fetch: await sampleOf('fetch'),
  }))
  const row = (given: {
    name: string
    unit: Unit
    key: keyof ContestSample
    of: Contender
    target?: number
  }): Figure => ({
    name: given.name,
    unit: given.unit,
    value: seriesOf(turns.map(turn => turn[given.of][given.key])),
    baseline: seriesOf(turns.map(turn => turn.fetch[given.key])),
    ...(given.target === undefined ? {} : { target: given.target }),
  })
  return [
    row({
      name: '1,000 agents × 4 turns, CPU of one',
      unit: 'ms',
      key: 'cpuMsPerAgent',
      of: 'model',
      target: CPU_MS,
    }),
    row({
      name: '1,000 agents × 4 turns, peak memory',
      unit: 'MiB',
      key: 'maxRssMiB',
      of: 'model',
      target: RSS_MIB,
    }),
    row({ name: '1,000 agents × 4 turns, wall', unit: 'ms', key: 'wallMs', of: 'model' }),
    row({ name: 'provider package alone, CPU of one', unit: 'ms', key: 'cpuMsPerAgent', of: 'provider' }),
    row({ name: 'provider package alone, peak memory', unit: 'MiB', key: 'maxRssMiB', of: 'provider' }),
  ]
}

function sampleOf(contender: Contender): Promise<ContestSample> {
  return inScratch(root => contest(contender, root))
}
