import { describe, expect, it } from 'vitest'
import { meets, type Figure } from '../src/figure.ts'
import { seriesOf } from '../src/series.ts'
import { table } from '../src/table.ts'

const fast: Figure = {
  name: 'fast',
  unit: 'ms',
  value: seriesOf([3, 1, 2]),
  baseline: seriesOf([1]),
  target: 2,
}
const slow: Figure = { name: 'slow one', unit: 'MiB', value: seriesOf([150, 250]), target: 100 }

describe('a series', () => {
  it('has the median of an odd and of an even number of values', () => {
    expect(seriesOf([3, 1, 2])).toEqual({ median: 2, min: 1, max: 3 })
    expect(seriesOf([1, 2])).toEqual({ median: 1.5, min: 1, max: 2 })
  })
})

describe('the table', () => {
  it('aligns its columns and marks a miss', () => {
    expect(
      table([fast, slow])
        .split('\n')
        .map(line => line.trimEnd()),
    ).toEqual([
      '           median     spread  baseline     target',
      'fast      2.00 ms  1.00–3.00   1.00 ms  ≤ 2.00 ms         ✓',
      'slow one  200 MiB    150–250            ≤ 100 MiB  ✗ missed',
    ])
  })

  it('meets a target that is just reached', () => {
    expect([meets(fast), meets(slow), meets({ ...fast, target: undefined })]).toEqual([
      true,
      false,
      undefined,
    ])
  })
})
