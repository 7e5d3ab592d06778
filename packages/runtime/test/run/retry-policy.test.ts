import { describe, expect, it } from 'vitest'
import { CAUSES } from '@tutti/protocol'
import { backoffMs, extraTries, retryClass } from '../../src/run/retry-policy.ts'

const random = { bytes: (length: number) => new Uint8Array(length), next: () => 0.5 }

describe('the retry policy', () => {
  it('tries transient causes five times more, some once, all others never', () => {
    const tries = Object.fromEntries(CAUSES.map(cause => [cause, extraTries(cause, undefined)]))
    expect(Object.entries(tries).filter(([, count]) => count > 0)).toEqual([
      ['rate_limited', 5],
      ['overloaded', 5],
      ['network', 5],
      ['server_error', 5],
      ['stalled', 1],
      ['no_final_text', 1],
      ['crashed', 1],
    ])
  })

  it('lets a call replace the number but not try permanent causes again', () => {
    expect(extraTries('overloaded', 0)).toBe(0)
    expect(extraTries('stalled', 3)).toBe(3)
    expect(extraTries('refused', 3)).toBe(0)
  })

  it('backs off exponentially up to a minute and waits at least as long as it is asked to', () => {
    const wait = (count: number, retryAfterMs?: number): number =>
      backoffMs({ cause: 'network', count, retryAfterMs }, random)
    expect([1, 2, 3, 20].map(count => wait(count))).toEqual([375, 750, 1500, 45_000])
    expect(wait(1, 9000)).toBe(9000)
    expect(backoffMs({ cause: 'crashed', count: 1, retryAfterMs: undefined }, random)).toBe(0)
  })

  it('counts all transient causes together', () => {
    expect(retryClass('network')).toBe(retryClass('overloaded'))
    expect(retryClass('crashed')).not.toBe(retryClass('stalled'))
  })
})
