import { expect, test } from 'vitest'
import { createVirtualClock } from '@tutti/runtime/testing'
import { createAdmission, type Admission } from '../../src/governor/admission.ts'
import { createDoorway } from '../../src/governor/doorway.ts'
import { createGate, type Gate } from '../../src/governor/gate.ts'
import { createSignsOfLife } from '../../src/governor/signs-of-life.ts'

const { signal } = new AbortController()
const silent = createSignsOfLife(createVirtualClock(), () => {})

/** With sixteen requests under way, all that it lets through. */
async function fullGate(): Promise<{ gate: Gate; holders: Admission[] }> {
  const gate = createGate(createVirtualClock())
  const holders = Array.from({ length: 16 }, () => createAdmission(gate, silent))
  for (const holder of holders) {
    await holder.enter(signal)
    const slot = holder.take()
    if (slot) holder.keep(slot)
  }
  return { gate, holders }
}

test('a slot is held from before the request until its answer was taken', async () => {
  const { gate, holders } = await fullGate()
  expect(gate.state).toMatchObject({ inFlight: 16, waiting: 0 })
  expect(holders[0]?.take()).toBeUndefined()
  holders[0]?.leave(true)
  expect(gate.state.inFlight).toBe(15)
  holders[0]?.leave(true)
  expect(gate.state.inFlight).toBe(15)
})

test('a slot that no request took is given back', async () => {
  const gate = createGate(createVirtualClock())
  const admission = createAdmission(gate, silent)
  await admission.enter(signal)
  expect(gate.state.inFlight).toBe(1)
  admission.leave(false)
  expect(gate.state.inFlight).toBe(0)
})

test('a conversation under way goes before a new one', async () => {
  const { gate, holders } = await fullGate()
  const order: string[] = []
  const fresh = createAdmission(gate, silent)
  const entering = fresh.enter(signal).then(() => order.push('new'))
  const [first, second] = holders
  first?.leave(false)
  await entering
  expect(order).toEqual(['new'])
  const other = createAdmission(gate, silent)
  const late = [
    other.enter(signal).then(() => order.push('new')),
    first?.enter(signal).then(() => order.push('under way')),
  ]
  second?.leave(false)
  await late[1]
  expect(order).toEqual(['new', 'under way'])
})

test('who is aborted while waiting has no slot', async () => {
  const { gate } = await fullGate()
  const stop = new AbortController()
  const admission = createAdmission(gate, silent)
  const waiting = admission.enter(stop.signal)
  stop.abort()
  await waiting
  expect(admission.take()).toBeUndefined()
  expect(gate.state.waiting).toBe(0)
})

test('waiting gives signs of life', async () => {
  const clock = createVirtualClock()
  let count = 0
  const sign = createSignsOfLife(clock, () => count++)()
  await clock.advance(45_000)
  sign.cancel()
  await clock.advance(45_000)
  expect(count).toBe(3)
})

test('a doorway lets a few in, the others in their order, and those that are aborted at once', async () => {
  const doorway = createDoorway(2)
  const [first] = await Promise.all([doorway.enter(signal), doorway.enter(signal)])
  const order: string[] = []
  const stop = new AbortController()
  const third = doorway.enter(signal).then(leave => (order.push('third'), leave))
  void doorway.enter(signal).then(() => order.push('fourth'))
  const gone = doorway.enter(stop.signal).then(leave => leave())
  stop.abort()
  await gone
  expect(order).toEqual([])
  first?.()
  first?.()
  const leave = await third
  expect(order).toEqual(['third'])
  leave()
  await Promise.resolve()
  await Promise.resolve()
  expect(order).toEqual(['third', 'fourth'])
})
