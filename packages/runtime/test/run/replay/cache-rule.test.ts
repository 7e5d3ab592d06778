import { describe, expect, it } from 'vitest'
import { createCacheRule } from '../../../src/run/replay/cache-rule.ts'

describe('the cache rule', () => {
  it('admits everything while nothing was handed over', () => {
    expect(createCacheRule().admits(1, 'yes')).toBe(true)
  })

  it.each(['yes', 'unknown'] as const)(
    'bars older records after a newer outcome with effects "%s"',
    effects => {
      const rule = createCacheRule()
      rule.handedOver(3, effects)
      expect([rule.admits(2, 'none'), rule.admits(3, 'none')]).toEqual([false, true])
    },
  )

  it('is not touched by outcomes without effects', () => {
    const rule = createCacheRule()
    rule.handedOver(3, 'none')
    expect(rule.admits(1, 'yes')).toBe(true)
  })

  it('counts isolated work only against records that had effects themselves', () => {
    const rule = createCacheRule()
    rule.handedOver(2, 'isolated')
    expect(rule.admits(1, 'none')).toBe(true)
    expect(rule.admits(1, 'isolated')).toBe(true)
    expect(rule.admits(1, 'yes')).toBe(false)
    expect(rule.admits(1, 'unknown')).toBe(false)
  })
})
