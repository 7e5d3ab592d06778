import { createVirtualClock } from '@tutti/runtime/testing'
import { expect, test } from 'vitest'
import { createGate, type Gate, type GateOutcome, type GateSlot } from '../../src/governor/gate.ts'

const tick = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

/** Enters so many times; the slots that were given so far. */
function enterAll(gate: Gate, count: number): GateSlot[] {
  const slots: GateSlot[] = []
  for (let n = 0; n < count; n++) void gate.enter(undefined).then(slot => slots.push(slot))
  return slots
}

async function end(slots: GateSlot[], outcome: GateOutcome): Promise<void> {
  for (const slot of slots.splice(0)) slot.release(outcome)
  await tick()
}

test('sixteen pass at first, the others as those end', async () => {
  const gate = createGate(createVirtualClock())
  const slots = enterAll(gate, 40)
  await tick()
  expect(slots).toHaveLength(16)
  slots.shift()?.release('other')
  await tick()
  expect(slots).toHaveLength(16)
  expect(gate.state).toMatchObject({ inFlight: 16, waiting: 23 })
})

test('each success makes room, by one for as many as pass at a time', async () => {
  const gate = createGate(createVirtualClock())
  const slots = enterAll(gate, 16)
  await tick()
  await end(slots, 'ok')
  expect(gate.state.limit).toBeGreaterThan(16.9)
  expect(gate.state.limit).toBeLessThan(17)
})

test('refusals that come together halve it once', async () => {
  const clock = createVirtualClock()
  const gate = createGate(clock)
  const slots = enterAll(gate, 16)
  await tick()
  await end(slots, 'refused')
  expect(gate.state.limit).toBe(8)
  await clock.advance(300)
  const more = enterAll(gate, 1)
  await tick()
  await end(more, 'refused')
  expect(gate.state.limit).toBe(4)
})

test('it never gets below one', async () => {
  const clock = createVirtualClock()
  const gate = createGate(clock)
  for (let n = 0; n < 10; n++) {
    const slots = enterAll(gate, 1)
    await tick()
    await end(slots, 'refused')
    await clock.advance(300)
  }
  expect(gate.state.limit).toBe(1)
})

test('nothing passes while the server asks to wait, a minute at most', async () => {
  const clock = createVirtualClock()
  const gate = createGate(clock)
  const first = await gate.enter(undefined)
  first.hold(3_600_000)
  const slots = enterAll(gate, 1)
  await clock.advance(59_999)
  expect(slots).toHaveLength(0)
  await clock.advance(1)
  await tick()
  expect(slots).toHaveLength(1)
})

test('five overloads in a row close it for ten seconds, then one is let through', async () => {
  const clock = createVirtualClock()
  const gate = createGate(clock)
  const slots = enterAll(gate, 5)
  await tick()
  await end(slots, 'overloaded')
  const waiting = enterAll(gate, 3)
  await clock.advance(9_999)
  expect(waiting).toHaveLength(0)
  await clock.advance(1)
  await tick()
  expect(waiting).toHaveLength(1)
  await end(waiting, 'overloaded')
  await clock.advance(9_999)
  expect(waiting).toHaveLength(0)
  await clock.advance(1)
  await tick()
  await end(waiting, 'ok')
  expect(waiting).toHaveLength(1)
  expect(gate.state.open).toBe(false)
})

test('a success between makes overloads count anew', async () => {
  const gate = createGate(createVirtualClock())
  for (const outcome of [
    'overloaded',
    'overloaded',
    'overloaded',
    'overloaded',
    'ok',
    'overloaded',
  ] as const) {
    const slots = enterAll(gate, 1)
    await tick()
    await end(slots, outcome)
  }
  expect(gate.state.open).toBe(false)
})

test('who was turned away goes first, and who is aborted leaves the queue', async () => {
  const gate = createGate(createVirtualClock())
  const slots = enterAll(gate, 16)
  await tick()
  const order: string[] = []
  const stop = new AbortController()
  const gone = gate.enter(stop.signal).catch((error: Error) => order.push(error.name))
  void gate.enter(undefined).then(() => order.push('second'))
  void gate.enter(undefined, 'turned away').then(() => order.push('first'))
  stop.abort()
  await gone
  await end(slots, 'ok')
  expect(order).toEqual(['AbortError', 'first', 'second'])
  await expect(gate.enter(AbortSignal.abort())).rejects.toThrow()
})

test('a slot is given back once', async () => {
  const gate = createGate(createVirtualClock())
  const slot = await gate.enter(undefined)
  slot.release('other')
  slot.release('other')
  expect(gate.state.inFlight).toBe(0)
})
