import { expect, test } from 'vitest'
import { createFuel, JOBS_PER_POLL, POLLS_PER_MS } from '../../src/sandbox/fuel.ts'

test('a stretch holds a fixed number of polls per nominal millisecond', () => {
  const fuel = createFuel(10)
  for (let i = 0; i < 10 * POLLS_PER_MS; i++) expect(fuel.poll()).toBe(false)
  expect(fuel.poll()).toBe(true)
})

test('promise jobs count as fuel, the rest of a division too', () => {
  const fuel = createFuel(1)
  for (let i = 0; i < POLLS_PER_MS * 2; i++) fuel.spendJobs(JOBS_PER_POLL / 2)
  expect(fuel.exhausted()).toBe(false)
  fuel.spendJobs(JOBS_PER_POLL)
  expect(fuel.exhausted()).toBe(true)
})

test('a new stretch is full, but what has run out stays out', () => {
  const fuel = createFuel(1)
  for (let i = 0; i < POLLS_PER_MS; i++) fuel.poll()
  fuel.refill()
  expect(fuel.poll()).toBe(false)
  for (let i = 0; i < POLLS_PER_MS; i++) fuel.poll()
  expect(fuel.exhausted()).toBe(true)
  fuel.refill()
  expect(fuel.exhausted()).toBe(true)
})
