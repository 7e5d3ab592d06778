import type { JournalEntry } from '@tutti/protocol'
import { describe, expect, it } from 'vitest'
import { journalFeed } from '../../src/observe/journal-feed.ts'
import { Observations } from '../../src/observe/observations.ts'

describe('Observations', () => {
  it('resolves once every label has settled, and at once when they have', async () => {
    const seen = new Observations()
    let done = false
    const waiting = seen.settledAll(['a', 'b']).then(() => (done = true))
    seen.settle('a')
    await Promise.resolve()
    expect(done).toBe(false)
    seen.settle('b')
    await waiting
    await seen.settledAll(['b'])
    await seen.settledCount(2)
  })

  it('counts dispatches and the most agents at once', () => {
    const seen = new Observations()
    seen.dispatch('a')
    seen.dispatch('a')
    seen.enter()
    seen.enter()
    seen.leave()
    seen.enter()
    expect(seen.dispatched).toEqual({ a: 2 })
    expect(seen.maxInFlight).toBe(2)
  })
})

describe('journalFeed', () => {
  it('finds the label of a terminal line in its started line', () => {
    const settled: string[] = []
    const feed = journalFeed({ settled: label => settled.push(label) })
    feed.see({ type: 'started', key: 'k', n: 1, label: 'a' } as JournalEntry)
    feed.see({ type: 'result', key: 'k', n: 1 } as JournalEntry)
    feed.see({ type: 'failed', key: 'q', n: 1, label: 'b' } as JournalEntry)
    expect(settled).toEqual(['a', 'b'])
  })
})
