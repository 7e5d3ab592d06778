// soak.js <seed> <cycles> <agents>: long work in one process; prints what is left of it afterwards, as JSON.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createRuntime } from '@tutti/runtime'
import { openStore } from '@tutti/storage'

const [seed = 1, cycles = 3, agents = 200] = process.argv.slice(2).map(Number)
/** Time runs a hundred times as fast, so that back-off does not take longer than the work. */
const SPEED = 100

const clock = {
  now: () => Date.now(),
  timer(ms, callback) {
    const timer = setTimeout(() => callback(), ms / SPEED)
    timer.unref()
    return { cancel: () => clearTimeout(timer) }
  },
}

const warnings = []
process.on('warning', warning => warnings.push(String(warning)))

const totals = {
  runs: 0,
  attempts: 0,
  calls: 0,
  dispatched: 0,
  tries: 0,
  failed: 0,
  stopped: 0,
  beside: 0,
  killedByLimits: 0,
}
const folder = await mkdtemp(join(tmpdir(), 'tutti-soak-'))
const heapMiB = []
try {
  await cycle(0, Math.min(agents, 100))
  const before = await resources()
  for (let i = 1; i <= cycles; i++) {
    await cycle(i, agents)
    heapMiB.push(await heap())
  }
  const after = await resources()
  console.log(JSON.stringify({ seed, cycles, agents, totals, heapMiB, before, after, warnings }))
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
}

/** A run that is stopped, stopped again, ends with failures and is resumed to its end; others go on beside it. */
async function cycle(number, count) {
  const store = openStore({ root: folder, cwd: folder })
  const agentsOf = failing => executor(number, failing)
  const runtimeWith = failing => createRuntime({ executor: agentsOf(failing), store, clock, retries: 2 })
  const limits = { concurrency: 32, agents: count + 100, entries: count }
  const script = { source: soakScript(count) }

  const handle = await runtimeWith(true).launch(script, { limits, cwd: folder })
  const beside = neighbours(store)
  const ends = [await stoppedAfter(handle, Math.floor(count / 4))]
  ends.push(
    await stoppedAfter(await runtimeWith(true).resume(handle.runId, { limits }), Math.floor(count / 4)),
  )
  ends.push(await (await runtimeWith(true).resume(handle.runId, { limits })).result)
  ends.push(await (await runtimeWith(false).resume(handle.runId, { limits })).result)
  await beside
  const [first, second, third, last] = ends
  must(
    first.status === 'killed' && second.status === 'killed',
    `stops ended as ${first.status}, ${second.status}`,
  )
  must(third.status === 'completed' && third.degraded, `the third attempt ended as ${third.status}`)
  must(
    last.status === 'completed' && !last.degraded,
    `the last attempt ended as ${last.status}: ${last.error?.message}`,
  )
  must(last.value === count, `the last attempt counted ${last.value} of ${count}`)
  must(last.dispatched < count / 2, `the last attempt dispatched ${last.dispatched} of ${count}`)
  totals.runs++
  totals.attempts += ends.length
  totals.calls += count
  for (const { dispatched, record } of ends) {
    totals.dispatched += dispatched
    totals.failed += record.census.failed
    totals.stopped += record.census.stopped
  }
}

/** One run that works, one whose script never ends, one that fills its memory: each to its own end. */
async function neighbours(store) {
  const runtime = createRuntime({ executor: executor(-1, false), store, clock })
  const run = async (body, limits = {}) => {
    const source = `export const meta = { name: 'beside', description: 'Beside' }\n${body}`
    return await (
      await runtime.launch({ source }, { limits, cwd: folder })
    ).result
  }
  const [fine, spinning, hoarding] = await Promise.all([
    run(`const all = await parallel([1, 2, 3].map(i => () => agent('beside ' + i)))\nreturn all.length`),
    run(`await agent('beside')\nfor (;;) {}`, { scriptCpuMs: 100 }),
    run(`await agent('beside')\nconst all = []\nfor (;;) all.push(new Array(1000).fill(all.length))`, {
      scriptMemoryMiB: 16,
    }),
  ])
  must(fine.value === 3, `the run beside ended as ${fine.status}: ${fine.error?.message}`)
  must(spinning.error?.code === 'script-timeout', `the spinning run ended with ${spinning.error?.code}`)
  must(hoarding.error?.code === 'script-memory', `the hoarding run ended with ${hoarding.error?.code}`)
  totals.beside++
  totals.killedByLimits += 2
}

async function stoppedAfter(handle, results) {
  let seen = 0
  for await (const event of handle.events) {
    if (event.type === 'agent' && event.row.state === 'done' && ++seen === results) void handle.stop('soak')
  }
  return await handle.result
}

function soakScript(count) {
  const wide = Math.floor(count / 2)
  return `export const meta = { name: 'soak', description: 'Soak' }
const first = await parallel(Array.from({ length: ${wide} }, (_, i) => () => agent('wide ' + i, { label: 'w' + i })))
const second = await pipeline(Array.from({ length: ${Math.ceil((count - wide) / 2)} }, (_, i) => i),
  (_, i) => agent('first ' + i, { label: 'a' + i }),
  (_, i) => agent('second ' + i, { label: 'b' + i }))
return first.length + 2 * second.length`
}

/** Some agents die, some need another try, some take a moment; in which way is a matter of prompt and seed. */
function executor(number, failing) {
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, toolUses: 0, durationMs: 1 }
  const end = (call, signal) => {
    if (signal.aborted)
      return { status: 'failed', cause: 'stopped', message: 'stopped', usage, effects: 'none' }
    const luck = hash(`${seed} ${number} ${call.prompt}`) % 100
    const died = { status: 'failed', message: 'scripted', usage, effects: 'none' }
    if (failing && luck < 5) return { ...died, cause: 'refused' }
    if (luck < 15 && call.attempt === 1) return { ...died, cause: 'overloaded' }
    return { status: 'ok', value: 'x'.repeat(luck * 10), usage, effects: 'none' }
  }
  return {
    backendOf: () => 'soak',
    capabilities: () => ({ schema: 'loop', usage: 'exact', maxTurns: true, isolation: true }),
    start(call, { signal, transcript }) {
      totals.tries++
      transcript({ type: 'user', text: call.prompt })
      const result = new Promise(resolve => setImmediate(() => resolve(end(call, signal))))
      return { events: silence(), result, cancel() {} }
    },
  }
}

async function* silence() {}

async function heap() {
  await settle()
  return Math.round((process.memoryUsage().heapUsed / 2 ** 20) * 100) / 100
}

async function resources() {
  await settle()
  return {
    handles: process
      ._getActiveHandles()
      .map(handle => handle.constructor.name)
      .toSorted(),
    resources: process.getActiveResourcesInfo().toSorted(),
    listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
  }
}

/** Threads that were told to end have ended, and what is unreachable is gone. */
async function settle() {
  for (let i = 0; i < 3; i++) {
    await wait(50)
    globalThis.gc()
  }
}

function hash(text) {
  let sum = 2166136261
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 16777619)
  return (sum ^ (sum >>> 15)) >>> 0
}

function must(holds, message) {
  if (!holds) throw new Error(message)
}
