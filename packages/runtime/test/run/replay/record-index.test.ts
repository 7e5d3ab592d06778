import { describe, expect, it } from 'vitest'
import type { JournalEntry, JournalLine, Effects } from '@tutti/protocol'
import { indexRecords } from '../../../src/run/replay/record-index.ts'

const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, toolUses: 0, durationMs: 0 }

function journal(...entries: [attempt: number, entry: JournalEntry][]): JournalLine[] {
  return entries.map(([attempt, entry], i) => ({ ...entry, seq: i + 1, attempt, fence: attempt }))
}

function result(key: string, n: number, [value, label = 'l']: [value: string, label?: string]): JournalEntry {
  const effects: Effects = 'none'
  return {
    type: 'result',
    key,
    n,
    label,
    agentId: key,
    transcriptId: 'a',
    result: value,
    usage,
    tries: 1,
    effects,
    endedAt: 0,
  }
}

const delivered = (key: string, n: number): JournalEntry => ({ type: 'delivered', key, n })

describe('the records of a run', () => {
  it('are found by key, the one with the same label and ordinal first', () => {
    const index = indexRecords(
      journal(
        [1, result('k', 1, ['x', 'a'])],
        [1, result('k', 2, ['y', 'b'])],
        [1, result('k', 3, ['z', 'b'])],
      ),
    )
    expect(index.find('k', 3, 'b')?.entry.result).toBe('z')
    expect(index.find('k', 1, 'b')?.entry.result).toBe('y')
    expect(index.find('k', 9, 'c')?.entry.result).toBe('x')
    expect(index.find('other', 1, 'a')).toBeUndefined()
  })

  it('are given out once', () => {
    const index = indexRecords(journal([1, result('k', 1, ['x'])], [1, result('k', 2, ['y'])]))
    const values = [1, 1, 1].map(n => {
      const record = index.find('k', n, 'l')
      if (record !== undefined) record.taken = true
      return record?.entry.result
    })
    expect(values).toEqual(['x', 'y', undefined])
  })

  it('count in the version of the latest attempt', () => {
    const index = indexRecords(journal([1, result('k', 1, ['old'])], [2, result('k', 1, ['new'])]))
    expect(index.all()).toHaveLength(1)
    expect(index.find('k', 1, 'l')).toMatchObject({ attempt: 2, entry: { result: 'new' } })
  })

  it('come in the order of the last attempt’s deliveries, then in the order of recording', () => {
    const index = indexRecords(
      journal(
        [1, result('a', 1, ['a'])],
        [1, result('b', 1, ['b'])],
        [1, result('c', 1, ['c'])],
        [1, delivered('a', 1)],
        [2, delivered('c', 1)],
        [2, delivered('b', 1)],
      ),
    )
    const order = (key: string): number => index.find(key, 1, 'l')?.order ?? Number.NaN
    expect(order('c')).toBeLessThan(order('b'))
    expect(order('b')).toBeLessThan(order('a'))
  })

  it('stay with the call that took them from its twin', () => {
    const lines = journal(
      [1, result('k', 2, ['second'])],
      [2, { type: 'delivered', key: 'k', n: 1, from: { attempt: 1, n: 2 } }],
      [2, result('k', 2, ['again'])],
    )
    const index = indexRecords(lines)
    expect(index.find('k', 1, 'l')).toMatchObject({ n: 1, attempt: 1, entry: { result: 'second' } })
    expect(index.find('k', 2, 'l')).toMatchObject({ n: 2, attempt: 2, entry: { result: 'again' } })
  })

  it('stay with it also when the twin had its result before the taking was written down', () => {
    const lines = journal(
      [1, result('k', 3, ['third'])],
      [2, result('k', 3, ['again'])],
      [2, { type: 'delivered', key: 'k', n: 2, from: { attempt: 1, n: 3 } }],
      [3, { type: 'delivered', key: 'k', n: 1, from: { attempt: 1, n: 3 } }],
    )
    const index = indexRecords(lines)
    expect(index.all().map(({ n, entry }) => [n, entry.result])).toEqual([
      [1, 'third'],
      [3, 'again'],
    ])
  })

  it('tell where a timer fired', () => {
    const index = indexRecords(
      journal(
        [1, result('a', 1, ['a'])],
        [1, { type: 'delivered', name: 'timer::1' }],
        [1, delivered('a', 1)],
      ),
    )
    expect(index.timerOrder('timer::1')).toBeLessThan(index.find('a', 1, 'l')?.order ?? 0)
    expect(index.timerOrder('timer::2')).toBeUndefined()
  })

  it('stay cheap with ten thousand twins', () => {
    const twins = Array.from(
      { length: 10_000 },
      (_, i) => [1, result('k', i + 1, [String(i)])] as [number, JournalEntry],
    )
    const index = indexRecords(journal(...twins))
    let found = 0
    for (let n = 1; n <= 10_000; n++) {
      const record = index.find('k', n, 'l')
      if (record === undefined) continue
      record.taken = true
      found++
    }
    expect(found).toBe(10_000)
  })
})
