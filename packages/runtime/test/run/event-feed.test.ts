import { describe, expect, it } from 'vitest'
import type { AgentRow } from '@tutti/protocol'
import { createEventFeed } from '../../src/run/event-feed.ts'
import type { RunEvent } from '../../src/run/types.ts'

const row = (state: AgentRow['state']): AgentRow => ({
  type: 'workflow_agent',
  index: 1,
  agentId: 'k',
  label: 'l',
  state,
})

async function collect(events: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const seen: RunEvent[] = []
  for await (const event of events) seen.push(event)
  return seen
}

describe('the event feed', () => {
  it('gives every reader everything in order, late ones start with what they missed', async () => {
    const feed = createEventFeed(() => [{ type: 'launched' }])
    const early = collect(feed.read())
    feed.emit({ type: 'warning', message: 'a' })
    const late = collect(feed.read())
    feed.emit({ type: 'warning', message: 'b' })
    feed.end()
    expect((await early).map(event => event.type)).toEqual(['launched', 'warning', 'warning'])
    expect(await late).toEqual([{ type: 'launched' }, { type: 'warning', message: 'b' }])
  })

  it('merges unread changes of one row and copies it when it is read', async () => {
    const feed = createEventFeed(() => [])
    const reader = feed.read()[Symbol.asyncIterator]()
    const first = reader.next()
    const changing = row('start')
    feed.emitRow(changing)
    feed.emitRow(changing)
    changing.state = 'done'
    const seen = await first
    feed.end()
    expect(seen.value).toEqual({ type: 'agent', row: row('done') })
    expect((await reader.next()).done).toBe(true)
  })

  it('forgets a reader that leaves', async () => {
    const feed = createEventFeed(() => [])
    const reader = feed.read()[Symbol.asyncIterator]()
    await reader.return?.()
    feed.emit({ type: 'launched' })
    expect((await reader.next()).done).toBe(true)
  })

  it('keeps order over thousands of unread events', async () => {
    const feed = createEventFeed(() => [])
    const iterator = feed.read()[Symbol.asyncIterator]()
    for (let i = 0; i < 5000; i++) feed.emit({ type: 'warning', message: String(i) })
    feed.end()
    const messages: string[] = []
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      if (next.value.type === 'warning') messages.push(next.value.message)
    }
    expect(messages).toEqual(Array.from({ length: 5000 }, (_, i) => String(i)))
  })
})
