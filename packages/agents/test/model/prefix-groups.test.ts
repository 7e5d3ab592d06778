import { startMockModel } from '@tutti-internal/mock-model'
import { createVirtualClock } from '@tutti/runtime/testing'
import { describe, expect, test } from 'vitest'
import { createPrefixGroups, type PrefixPass } from '../../src/model/prefix-groups.ts'
import { play } from '../stage/stage.ts'
import { projectWith } from '../tools/project.ts'
import { modelBackend } from './backend-at.ts'

const { signal } = new AbortController()
const tick = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

function stage(staggerMs = 5000) {
  const clock = createVirtualClock()
  const groups = createPrefixGroups(clock, staggerMs)
  const in_: PrefixPass[] = []
  const enter = (prefix = 'p', own: AbortSignal = signal): void => {
    void groups.enter(prefix, own).then(pass => in_.push(pass))
  }
  return { clock, enter, in: in_ }
}

describe('a group', () => {
  test('follows when its first was answered', async () => {
    const { enter, in: passed } = stage()
    for (let n = 0; n < 4; n++) enter()
    await tick()
    expect(passed).toHaveLength(1)
    passed[0]!.answered()
    await tick()
    expect(passed).toHaveLength(4)
    enter()
    await tick()
    expect(passed).toHaveLength(5)
  })

  test('waits at most its patience', async () => {
    const { enter, clock, in: passed } = stage()
    enter()
    enter()
    await clock.advance(4999)
    expect(passed).toHaveLength(1)
    await clock.advance(1)
    await tick()
    expect(passed).toHaveLength(2)
  })

  test('has a new first when the first ended unanswered', async () => {
    const { enter, in: passed } = stage()
    for (let n = 0; n < 3; n++) enter()
    await tick()
    passed[0]!.ended()
    await tick()
    expect(passed).toHaveLength(2)
    passed[1]!.answered()
    await tick()
    expect(passed).toHaveLength(3)
  })

  test('is warmed up again after five minutes without use', async () => {
    const { enter, clock, in: passed } = stage()
    enter()
    await tick()
    passed[0]!.answered()
    await clock.advance(299_000)
    enter()
    await tick()
    passed[1]!.answered()
    await clock.advance(299_000)
    enter()
    await tick()
    expect(passed).toHaveLength(3)
    await clock.advance(301_000)
    enter()
    enter()
    await tick()
    expect(passed).toHaveLength(4)
  })

  test('does not wait for another group, nor with a patience of 0', async () => {
    const { enter, in: passed } = stage()
    enter('a')
    enter('b')
    await tick()
    expect(passed).toHaveLength(2)
    const off = stage(0)
    off.enter()
    off.enter()
    await tick()
    expect(off.in).toHaveLength(2)
  })

  test('lets a stopped agent go', async () => {
    const { enter, in: passed } = stage()
    const stop = new AbortController()
    enter()
    enter('p', stop.signal)
    await tick()
    stop.abort()
    await tick()
    expect(passed).toHaveLength(2)
  })
})

test('agents of the same kind begin with the same bytes, and only the first is sent before it is answered', async () => {
  await using project = await projectWith({ 'CLAUDE.md': 'Be kind.' })
  await using server = await startMockModel({ replies: () => ({ text: 'fine', delayMs: 100 }) })
  const workspace = { projectRoot: project.root, env: {} }
  const backend = modelBackend('anthropic', server.url, { workspace })
  const all = Promise.all([1, 2, 3].map(n => play(backend, { prompt: `Task ${n}`, transcriptId: `a${n}` })))
  while (server.requests.length === 0) await tick()
  await new Promise(resolve => setTimeout(resolve, 50))
  expect(server.requests).toHaveLength(1)
  await all
  const beginnings = server.requests.map(({ body }) => JSON.stringify([body.model, body.tools, body.system]))
  expect(new Set(beginnings).size).toBe(1)
})
