import type { Figure } from '../figure.ts'
import { inScratch } from '../scratch.ts'
import { repeat, REPEATS, seriesOf } from '../series.ts'
import { crowd } from '../session/crowd.ts'
import { firstWords } from '../session/first-words.ts'
import { interrupted } from '../session/interrupted.ts'

const AGENTS = 1_000
const CROWDS = 2
const MEGABYTE = 1e6 / 2 ** 20

/** A session over stdio: how much it writes and holds, how fast it starts and stops. */
export async function session(): Promise<Figure[]> {
  const starts = await repeat(() => inScratch(firstWords), 2 * REPEATS)
  const stops = await repeat(() => inScratch(interrupted))
  const crowds = await repeat(() => inScratch(folder => crowd(folder, AGENTS)), CROWDS)
  const bare = seriesOf(starts.map(({ bareMs }) => bareMs))
  const stop = (name: string, key: keyof (typeof stops)[number], target: number): Figure => ({
    name: `interrupt of 16 agents, ${name}`,
    unit: 'ms',
    value: seriesOf(stops.map(sample => sample[key])),
    target,
  })
  return [
    {
      name: 'session, start to system/init',
      unit: 'ms',
      value: seriesOf(starts.map(({ initMs }) => initMs)),
      baseline: bare,
      target: bare.median + 300,
    },
    {
      name: 'session, initialize answered',
      unit: 'ms',
      value: seriesOf(starts.map(({ initializeMs }) => initializeMs)),
      target: 100,
    },
    stop('receipt', 'receiptMs', 100),
    stop('notified', 'notifiedMs', 2_000),
    stop('every row ended', 'rowsMs', 2_000),
    stop('no process left', 'processesMs', 2_000),
    {
      name: 'session of 1,000 agents, sleeping reader, stdout',
      unit: 'MiB',
      value: seriesOf(crowds.map(({ stdoutMiB }) => stdoutMiB)),
      target: 64 * MEGABYTE,
    },
    {
      name: 'session of 1,000 agents, sleeping reader, peak memory',
      unit: 'MiB',
      value: seriesOf(crowds.map(({ peakMiB }) => peakMiB)),
      target: 250 * MEGABYTE,
    },
    {
      name: 'session of 1,000 agents, sleeping reader, whole',
      unit: 'ms',
      value: seriesOf(crowds.map(({ ms }) => ms)),
    },
  ]
}
