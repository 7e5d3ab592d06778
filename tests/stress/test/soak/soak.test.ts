import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { report, rounds, seed } from '../bounds.ts'

interface Soaked {
  totals: Record<
    | 'runs'
    | 'attempts'
    | 'calls'
    | 'dispatched'
    | 'tries'
    | 'failed'
    | 'stopped'
    | 'beside'
    | 'killedByLimits',
    number
  >
  /** After each cycle and a collection. */
  heapMiB: number[]
  before: object
  after: object
  warnings: string[]
}

const CYCLES = rounds(4, 10)
const AGENTS = rounds(160, 1_000)

it(`a process that runs ${CYCLES * AGENTS} agents with failures, retries, stops and three resumes keeps nothing of them`, async () => {
  const program = fileURLToPath(new URL('soak.js', import.meta.url))
  const args = ['--expose-gc', program, String(seed), String(CYCLES), String(AGENTS)]
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args)
  const { totals, heapMiB, before, after, warnings } = JSON.parse(stdout) as Soaked
  const [first = 0, last = 0] = [heapMiB[1], heapMiB.at(-1)]
  report(
    'soak',
    `${totals.calls} agents in ${totals.runs} runs of 4 attempts (${totals.dispatched} dispatches, ${totals.tries} tries, ${totals.failed} failures, ${totals.stopped} stopped), ${totals.beside} runs beside and ${totals.killedByLimits} killed by limits; heap ${heapMiB.join(' ')} MiB, seed ${seed}`,
  )
  expect(stderr).toBe('')
  expect(warnings).toEqual([])
  expect(after).toEqual(before)
  expect(totals.stopped).toBeGreaterThan(0)
  expect(last, `heap by cycle: ${heapMiB.join(', ')} MiB`).toBeLessThan(first * 1.1 + 1)
}, 900_000)
