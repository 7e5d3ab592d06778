import { describe, expect, it } from 'vitest'
import { defaultLimits, mergeLimits } from '../../src/run/limits.ts'

describe('limits', () => {
  it('leave two cores free, run at least two agents and at most sixteen', () => {
    expect([1, 2, 4, 8, 64].map(cpus => defaultLimits(cpus).concurrency)).toEqual([2, 2, 2, 6, 16])
  })

  it('are merged field by field, later ones win and undefined changes nothing', () => {
    const merged = mergeLimits(defaultLimits(4), { agents: 5 }, { concurrency: 3, agents: undefined })
    expect(merged).toMatchObject({ agents: 5, concurrency: 3, entries: 4096 })
  })

  it.each([0, -1, 1.5, Number.NaN, '3'])('refuse %s by name', value => {
    const change = { agents: value } as unknown as { agents: number }
    expect(() => mergeLimits(defaultLimits(4), change)).toThrow(/"agents".*at least 1/)
  })

  it('know no budget as null', () => {
    expect(mergeLimits(defaultLimits(4), { outputTokens: 5 }, { outputTokens: null }).outputTokens).toBeNull()
  })
})
