import { expect, test } from 'vitest'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'

test('timers fire in order of due time, then of creation, at their time', async () => {
  const clock = createVirtualClock(1000)
  const fired: string[] = []
  clock.timer(20, () => fired.push(`late ${clock.now()}`))
  clock.timer(10, () => fired.push(`first ${clock.now()}`))
  clock.timer(10, () => fired.push(`second ${clock.now()}`))
  await clock.advance(25)
  expect(fired).toEqual(['first 1010', 'second 1010', 'late 1020'])
  expect(clock.now()).toBe(1025)
})

test('time stands still until it is advanced', async () => {
  const clock = createVirtualClock(5)
  let fired = false
  clock.timer(0, () => (fired = true))
  await Promise.resolve()
  expect([fired, clock.now(), clock.pending()]).toEqual([false, 5, 1])
  await clock.advance(0)
  expect(fired).toBe(true)
})

test('a cancelled timer does not fire', async () => {
  const clock = createVirtualClock()
  let fired = false
  clock.timer(1, () => (fired = true)).cancel()
  await clock.advance(10)
  expect([fired, clock.pending()]).toEqual([false, 0])
})

test('timers set by waiting work fire within the same advance', async () => {
  const clock = createVirtualClock(0)
  const sleep = (ms: number): Promise<void> => new Promise(resolve => clock.timer(ms, resolve))
  const times: number[] = []
  const work = (async () => {
    for (let i = 0; i < 3; i++) {
      await sleep(10)
      times.push(clock.now())
    }
  })()
  await clock.advance(30)
  await work
  expect(times).toEqual([10, 20, 30])
})

test('a negative or missing delay counts as none', async () => {
  const clock = createVirtualClock(0)
  const times: number[] = []
  clock.timer(-5, () => times.push(clock.now()))
  clock.timer(Number.NaN, () => times.push(clock.now()))
  await clock.advance(1)
  expect(times).toEqual([0, 0])
})
