import { existsSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { createVirtualClock, type VirtualClock } from '@tutti/runtime/testing'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createDisk } from '../../src/files/file-system.ts'
import { acquireLease } from '../../src/lease/acquire-lease.ts'
import type { Lease } from '../../src/lease/lease.ts'
import type { ProcessTable } from '../../src/lease/process-identity.ts'
import { systemProcesses } from '../../src/lease/process-identity.ts'
import { failingFileSystem, type FailingFileSystem } from '../support/failing-file-system.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let folder: ReturnType<typeof temporaryFolder>
let clock: VirtualClock
let path: string
let alive: Map<number, string>
const held: Lease[] = []

beforeEach(() => {
  folder = temporaryFolder()
  clock = createVirtualClock()
  path = `${folder.path}/wf_0a1b2c3d-4e5.lock`
  alive = new Map([
    [1, 'one'],
    [2, 'two'],
    [3, 'three'],
  ])
})

afterEach(async () => {
  await Promise.all(held.splice(0).map(lease => lease.release()))
  await folder.remove()
})

function processes(host: string): ProcessTable {
  return {
    place: async () => ({ host, machine: 'boot/1' }),
    look: async pid => (alive.has(pid) ? { started: alive.get(pid) } : undefined),
  }
}

/** A process of the test: its disk, and what it knows of locks that it gave up. */
interface Process {
  disk: FailingFileSystem
  abandoned: Set<string>
}

function newProcess(disk = failingFileSystem()): Process {
  return { disk, abandoned: new Set() }
}

async function acquire(pid: number, host = 'here', { disk, abandoned } = newProcess()): Promise<Lease> {
  const owner = { host, machine: 'boot/1', pid, started: alive.get(pid) }
  const lease = await acquireLease({
    disk: createDisk({ fileSystem: disk }),
    clock,
    runId: 'wf_0a1b2c3d-4e5',
    path,
    owner,
    processes: processes(host),
    leaseMs: 10_000,
    heartbeatMs: 3_000,
    abandoned,
  })
  held.push(lease)
  return lease
}

function lock(): { pid: number; fence: number; heartbeatAt: number } {
  return JSON.parse(readFileSync(path, 'utf8')) as ReturnType<typeof lock>
}

function files(): string[] {
  return readdirSync(folder.path)
}

it('says who holds the run, and keeps saying that it lives', async () => {
  await acquire(1)
  expect(lock()).toEqual({
    host: 'here',
    pid: 1,
    processStartedAt: 'boot/1@one',
    fence: 1,
    heartbeatAt: clock.now(),
  })
  await clock.advance(9_500)
  // The virtual clock does not wait for the disk.
  await vi.waitFor(() => expect(lock().heartbeatAt).toBeGreaterThan(clock.now() - 9_500))
  expect(files()).toEqual(['wf_0a1b2c3d-4e5.lock'])
})

it('is refused while the owner lives, however old its heartbeat is on this host', async () => {
  const first = await acquire(1)
  await expect(acquire(2)).rejects.toMatchObject({ name: 'LeaseError', code: 'run-is-owned' })
  await first.raiseFence(4)
  await clock.advance(60_000)
  await expect(acquire(2)).rejects.toThrow(/process 1 on here/)
})

it('passes to the next process with the next fence when the owner is dead', async () => {
  const first = await acquire(1)
  await first.raiseFence(7)
  alive.delete(1)
  const second = await acquire(2)
  expect([second.fence, lock().pid, lock().fence]).toEqual([8, 2, 8])
  await expect(first.check()).rejects.toMatchObject({ code: 'lease-lost' })
  await first.release()
  expect(lock().pid).toBe(2)
  expect(files()).toEqual(['wf_0a1b2c3d-4e5.lock'])
})

it('takes a process with the same pid and another start for another process', async () => {
  await acquire(1)
  alive.set(1, 'later')
  expect((await acquire(2)).fence).toBe(2)
})

it('judges an owner on another host by the age of its heartbeat', async () => {
  writeFileSync(path, JSON.stringify({ host: 'there', pid: 99, fence: 3, heartbeatAt: clock.now() }))
  await clock.advance(9_000)
  await expect(acquire(1)).rejects.toThrow(/process 99 on there \(last sign of life 9\.0 s ago\)/)
  await clock.advance(2_000)
  expect((await acquire(1)).fence).toBe(4)
})

it('judges an owner of another pid namespace on a host of the same name by age', async () => {
  const content = { host: 'here', pid: 99, processStartedAt: 'boot/2@x', fence: 3, heartbeatAt: clock.now() }
  writeFileSync(path, JSON.stringify(content))
  await expect(acquire(1)).rejects.toMatchObject({ code: 'run-is-owned' })
})

it('tells its owner when another one took over', async () => {
  const first = await acquire(1)
  const lost: Error[] = []
  first.onLost = reason => lost.push(reason)
  alive.delete(1)
  await acquire(2)
  await expect(first.ensureHeld()).resolves.toBeUndefined()
  await clock.advance(3_001)
  await expect(first.ensureHeld()).rejects.toMatchObject({ code: 'lease-lost' })
  expect(lost.length).toBe(1)
  expect(lost[0]?.message).toContain('process 2 on here')
})

it('puts its lock back when somebody removed it', async () => {
  const lease = await acquire(1)
  await lease.raiseFence(5)
  unlinkSync(path)
  await lease.check()
  expect(lock()).toMatchObject({ pid: 1, fence: 5 })
  await lease.release()
  expect(files()).toEqual([])
})

it('does not put it back after a silence in which another owner may have come and gone', async () => {
  const lease = await acquire(1)
  unlinkSync(path)
  await clock.advance(10)
  const silent = clock.now() + 10_001
  clock.now = () => silent
  await expect(lease.check()).rejects.toMatchObject({ code: 'lease-lost' })
  expect(existsSync(path)).toBe(false)
})

it('ends when its folder is gone', async () => {
  const lease = await acquire(1)
  await folder.remove()
  await expect(lease.check()).rejects.toMatchObject({ code: 'journal-write-failed' })
})

it('lives on when its lock cannot be read for a moment', async () => {
  const disk = failingFileSystem()
  const lease = await acquire(1, 'here', newProcess(disk))
  disk.fault = () => ({ code: 'EMFILE' })
  const later = clock.now() + 3_500
  clock.now = () => later
  await expect(lease.ensureHeld()).resolves.toBeUndefined()
  disk.fault = () => undefined
  await expect(lease.ensureHeld()).resolves.toBeUndefined()
})

it('passes a claim whose maker died before it could use it', async () => {
  await acquire(1)
  alive.delete(1)
  const claim = { ...lock(), pid: 77, fence: 2, processStartedAt: 'boot/1@x' }
  writeFileSync(`${path}.2`, JSON.stringify(claim))
  expect((await acquire(3)).fence).toBe(3)
  expect(files()).toEqual(['wf_0a1b2c3d-4e5.lock'])
})

it('waits for a claim whose maker lives', async () => {
  await acquire(1)
  alive.delete(1)
  writeFileSync(`${path}.2`, JSON.stringify({ ...lock(), pid: 2, fence: 2, processStartedAt: 'boot/1@two' }))
  await expect(acquire(3)).rejects.toThrow(/process 2 on here/)
})

it('keeps a live owner in place whatever old claims lie about', async () => {
  writeFileSync(`${path}.9`, JSON.stringify({ host: 'here', pid: 77, fence: 9, heartbeatAt: 0 }))
  await acquire(1)
  await expect(acquire(2)).rejects.toThrow(/process 1 on here/)
})

it('leaves no files behind when it cannot be taken', async () => {
  const total = await countSteps()
  for (let failing = 1; failing <= total; failing++) {
    const disk = failingFileSystem()
    disk.fault = (step, number) =>
      number === failing && !step.startsWith('unlink') ? { code: 'EIO' } : undefined
    const lease = await acquire(1, 'here', newProcess(disk)).catch((error: unknown) => {
      expect(error).toMatchObject({ code: 'journal-write-failed' })
      return undefined
    })
    await lease?.release()
    expect([disk.steps[failing - 1], files()]).toEqual([disk.steps[failing - 1], []])
  }
})

async function countSteps(): Promise<number> {
  const disk = failingFileSystem()
  const lease = await acquire(1, 'here', newProcess(disk))
  const { length } = disk.steps
  await lease.release()
  return length
}

it('knows this process from others', async () => {
  const table = systemProcesses()
  const self = await table.look(process.pid)
  expect(self?.started).toBeTruthy()
  expect(await table.look(process.pid)).toEqual(self)
  expect(await table.look(2 ** 22 + 1)).toBeUndefined()
  expect((await table.place()).host).toBeTruthy()
})

it('can be taken again, also by this process, when its lock could not be removed', async () => {
  const disk = failingFileSystem()
  const lease = await acquire(1, 'here', newProcess(disk))
  disk.fault = step => (step.startsWith('unlink') ? { code: 'EIO' } : undefined)
  await lease.release()
  expect(lock()).toMatchObject({ pid: 1, released: true })
  expect((await acquire(2)).fence).toBe(2)
})

it('can be taken again by the process that gave it up, when nothing at all could be written', async () => {
  for (const torn of [false, true]) {
    const process = newProcess()
    const { disk } = process
    const lease = await acquire(1, 'here', process)
    disk.fault = () => ({ code: 'EIO', torn })
    await lease.release()
    expect(files().length).toBe(1)
    disk.fault = () => undefined
    await expect(acquire(2)).rejects.toMatchObject({ code: 'run-is-owned' })
    await (await acquire(1, 'here', process)).release()
    expect(files()).toEqual([])
  }
})
