import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openStore, type FileStore } from '@tutti/storage'
import { sampleCreation } from '../../src/conformance/samples.ts'
import { bundleStoreProcess, startStoreProcess, type StoreProcess } from '../support/store-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

// The disk, not the clock, decides how long these take.
vi.setConfig({ testTimeout: 60_000 })

/** `TUTTI_STRESS=1` plays all of them. */
const ROUNDS = process.env['TUTTI_STRESS'] ? 200 : 60
const PROCESSES = 6
const RACE_RUN = 'wf_0a1b2c3d-4e5'

const folder = temporaryFolder()
const children: StoreProcess[] = []
let program: string
let store: FileStore

beforeAll(async () => {
  program = await bundleStoreProcess(folder.path)
  store = openStore(where())
}, 60_000)

afterAll(async () => {
  await Promise.all(children.map(child => child.kill()))
  await folder.remove()
})

function where(): { root: string; cwd: string } {
  return { root: `${folder.path}/root`, cwd: folder.path }
}

function start(options: object = {}): StoreProcess {
  const child = startStoreProcess(program, { ...where(), ...options })
  children.push(child)
  return child
}

function lockOf(journal: string): string {
  return journal.replace('.journal.jsonl', '.lock')
}

it(`lets exactly one of ${PROCESSES} processes take over from a dead owner, ${ROUNDS} times`, async () => {
  const writer = await store.create(sampleCreation(RACE_RUN))
  const lock = lockOf(writer.locations.journal)
  await writer.close()
  const dead = spawnSync(process.execPath, ['-e', '']).pid
  const racers = Array.from({ length: PROCESSES }, () => start())
  const fences: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const stale = { host: hostname(), pid: dead, fence: round + 1, heartbeatAt: Date.now() }
    writeFileSync(lock, JSON.stringify(stale))
    const answers = await Promise.all(racers.map(racer => racer.ask('open', RACE_RUN)))
    const winners = racers.filter((_, at) => answers[at]?.fence !== undefined)
    const refused = answers.filter(answer => answer.code === 'run-is-owned')
    expect([winners.length, refused.length], JSON.stringify(answers)).toEqual([1, PROCESSES - 1])
    fences.push(answers.find(answer => answer.fence !== undefined)?.fence ?? 0)
    expect(await winners[0]?.ask('append')).toEqual({ lost: false })
    await winners[0]?.ask('close')
  }
  expect([...fences].sort((a, b) => a - b)).toEqual(fences)
  expect(new Set(fences).size).toBe(ROUNDS)
  const { journal, damaged } = await store.load(RACE_RUN)
  expect([journal.length, damaged]).toEqual([ROUNDS, []])
}, 120_000)

it('lets exactly one of several processes take a free run', async () => {
  const runId = 'wf_0a1b2c3d-4e6'
  await (await store.create(sampleCreation(runId))).close()
  const racers = Array.from({ length: PROCESSES }, () => start())
  for (let round = 0; round < 20; round++) {
    const answers = await Promise.all(racers.map(racer => racer.ask('open', runId)))
    const winner = racers.find((_, at) => answers[at]?.fence !== undefined)
    expect(answers.filter(answer => answer.code === 'run-is-owned').length).toBe(PROCESSES - 1)
    await winner?.ask('append')
    await winner?.ask('close')
  }
}, 60_000)

it('refuses a live owner by host, pid and age, and takes over at once when it is killed', async () => {
  const runId = 'wf_0a1b2c3d-4e7'
  const owner = start()
  const first = await owner.ask('create', runId)
  expect(await store.owner(runId)).toMatchObject({
    pid: owner.pid,
    alive: true,
    local: true,
    fence: first.fence,
  })
  await expect(store.open(runId)).rejects.toMatchObject({
    code: 'run-is-owned',
    message: expect.stringMatching(new RegExp(`process ${owner.pid} on .* \\d+\\.\\d s ago`)),
  })
  expect((await store.list()).find(({ record }) => record.runId === runId)?.interrupted).toBe(false)
  await owner.kill()
  expect(await store.owner(runId)).toMatchObject({ alive: false })
  expect((await store.list()).find(({ record }) => record.runId === runId)?.interrupted).toBe(true)
  const { writer, run } = await store.open(runId)
  expect(writer.fence).toBe((first.fence ?? 0) + 1)
  expect(run.journal.length).toBe(1)
  await writer.close()
  expect(await store.owner(runId)).toBeUndefined()
})

it('does not take a process that has the same pid for the owner', async () => {
  const runId = 'wf_0a1b2c3d-4e8'
  const owner = start()
  await owner.ask('create', runId)
  const { journal } = await store.locate(runId)
  const lock = JSON.parse(readFileSync(lockOf(journal), 'utf8')) as { processStartedAt?: string }
  expect(lock.processStartedAt).toMatch(/@\d+$/)
  await owner.kill()
  // Our own pid is alive, but it started at another time.
  writeFileSync(lockOf(journal), JSON.stringify({ ...lock, pid: process.pid }))
  const { writer } = await store.open(runId)
  await writer.close()
})

it('makes a process that slept too long stop writing once another host took over', async () => {
  const runId = 'wf_0a1b2c3d-4e9'
  const sleeper = start({ host: 'far-away', leaseMs: 300, heartbeatMs: 100 })
  await sleeper.ask('create', runId)
  await expect(store.open(runId)).rejects.toMatchObject({ code: 'run-is-owned' })
  sleeper.signal('SIGSTOP')
  const impatient = openStore({ ...where(), leaseMs: 300, heartbeatMs: 100 })
  const { writer } = await eventually(() => impatient.open(runId))
  await writer.append(2, { type: 'delivered', name: 'timer:1' })
  sleeper.signal('SIGCONT')
  expect(await sleeper.ask('append')).toMatchObject({ code: 'lease-lost' })
  expect(await sleeper.ask('append')).toMatchObject({ code: 'lease-lost' })
  await writer.append(2, { type: 'delivered', name: 'timer:2' })
  expect(writer.lost.aborted).toBe(false)
  await sleeper.ask('close')
  expect(await impatient.owner(runId)).toMatchObject({ pid: process.pid })
  await writer.close()
})

it('loses nothing that was durable when a process is killed in the middle of writing', async () => {
  for (let round = 0; round < 8; round++) {
    const runId = `wf_0a1b2c3d-5f${round}`
    const child = start()
    await child.ask('create', runId)
    let durable = 0
    await new Promise<void>(resolve => {
      child.stream(answer => {
        durable = answer.durable ?? durable
        if (durable >= 20 + round * 13) resolve()
      })
    })
    await child.kill()
    const { run, writer } = await store.open(runId)
    const results = run.journal.filter(line => line.type === 'result').map(line => line.n)
    expect(run.damaged).toEqual([])
    expect(results.length).toBeGreaterThanOrEqual(durable)
    expect(results).toEqual(results.map((_, at) => at + 1))
    expect(run.journal.map(line => line.seq)).toEqual(run.journal.map((_, at) => at + 1))
    await writer.close()
  }
}, 60_000)

/** Tries again until it works; the other process needs its time to fall silent. */
async function eventually<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if ((error as { code?: string }).code !== 'run-is-owned') throw error
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }
}
