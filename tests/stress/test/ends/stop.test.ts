import { setTimeout as wait } from 'node:timers/promises'
import { createRuntime } from '@tutti/runtime'
import { createMemoryStore, createScriptedExecutor } from '@tutti/runtime/testing'
import { expect, it } from 'vitest'

it('a stop dispatches nothing more, however long its terminal files take to write', async () => {
  const memory = createMemoryStore()
  const executor = createScriptedExecutor({ '*': { echo: true, afterMs: 1 } })
  let dispatchedAtStop = Infinity
  let dispatchedAtOutput = Infinity
  const runtime = createRuntime({
    executor,
    limits: { concurrency: 2 },
    store: {
      ...memory,
      create: async creation => {
        const writer = await memory.create(creation)
        return {
          ...writer,
          writeOutput: async text => {
            await wait(50)
            dispatchedAtOutput = Math.min(dispatchedAtOutput, dispatched())
            await writer.writeOutput(text)
          },
        }
      },
    },
  })
  const dispatched = (): number => Object.values(executor.dispatched()).reduce((sum, count) => sum + count, 0)
  const handle = await runtime.launch({
    source: `export const meta = { name: 'stopped', description: 'Is stopped' }
return await parallel(Array.from({ length: 200 }, (_, i) => () => agent('p' + i, { label: 'p' + i })))`,
  })
  for await (const event of handle.events) {
    if (event.type !== 'agent' || event.row.state !== 'done' || dispatchedAtStop < Infinity) continue
    void handle.stop('enough')
    dispatchedAtStop = dispatched()
  }
  const end = await handle.result
  expect(end.status).toBe('killed')
  expect(dispatchedAtOutput).toBe(dispatchedAtStop)
  expect(end.dispatched).toBe(dispatchedAtStop)
  const { total, ok, stopped } = end.record.census
  expect(ok + stopped).toBe(total)
})
