import { expect, test } from 'vitest'
import { listenForStop } from '../../src/setup/stop-signals.ts'
import { runEnd } from '../support/runs.ts'
import { createTestIo } from '../support/test-io.ts'

function listen() {
  const io = createTestIo({ cwd: '/' })
  const said: string[] = []
  const stops: (string | undefined)[] = []
  const signals = listenForStop({
    io,
    onStopping: text => said.push(text),
    onLeaving: () => said.push('leaving'),
  })
  const run = {
    stop: (reason?: string) => {
      stops.push(reason)
      return Promise.resolve(runEnd({ status: 'killed' }))
    },
  }
  return { io, said, stops, signals, run }
}

test('the first Ctrl-C stops the run, the second leaves at once', () => {
  const { io, said, stops, signals, run } = listen()
  signals.attach(run, signal => `stopping on ${signal}`)
  expect(signals.heard).toBe(false)
  io.signal('SIGINT')
  expect(signals.heard).toBe(true)
  expect(stops).toEqual(['interrupted'])
  expect(io.exits).toEqual([])
  io.signal('SIGINT')
  expect(said).toEqual(['stopping on SIGINT', 'leaving'])
  expect(io.exits).toEqual([130])
})

test('SIGTERM stops the run and makes it exit with 143', () => {
  const { io, stops, signals, run } = listen()
  signals.attach(run)
  io.signal('SIGTERM')
  expect(stops).toEqual(['stopped by SIGTERM'])
  expect(signals.exitCode).toBe(143)
})

test('SIGQUIT leaves at once', () => {
  const { io, stops, signals, run } = listen()
  signals.attach(run)
  io.signal('SIGQUIT')
  expect(stops).toEqual([])
  expect(io.exits).toEqual([131])
})

test('before there is a run any signal leaves at once', () => {
  const { io } = listen()
  io.signal('SIGTERM')
  expect(io.exits).toEqual([143])
})

test('a stop that no signal caused exits as if interrupted', () => {
  const { signals, stops, run } = listen()
  signals.stop('too early')
  signals.attach(run)
  signals.stop('nobody reads')
  expect(stops).toEqual(['nobody reads'])
  expect(signals.exitCode).toBe(130)
})

test('once disposed it hears nothing', () => {
  const { io, stops, signals, run } = listen()
  signals.attach(run)
  signals[Symbol.dispose]()
  io.signal('SIGINT')
  expect(stops).toEqual([])
})
