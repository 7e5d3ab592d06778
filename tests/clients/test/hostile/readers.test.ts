import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { until } from '@tutti-internal/e2e/installed/until'
import { checkFrames, problemText } from '@tutti-internal/frame-check'
import { describe, expect, it } from 'vitest'
import { isNotification, isResult, lastRows, notified } from '../support/frames.ts'
import { Host } from '../support/host.ts'
import { peakMemoryMiB } from '../support/memory.ts'
import { hangs, says, type Line } from '../support/model-script.ts'
import { FAN_OUT } from '../support/scripts.ts'
import { createSurroundings } from '../support/surroundings.ts'

const AGENTS = 150
const CROWD = `export const meta = { name: 'crowd', description: 'Asks many' }
return (await parallel(Array.from({ length: ${AGENTS} }, (_, n) => () => agent('Work on ' + n, { label: 'n' + n })))).length
`
const NEWS: Line = [/<task-notification>/, says('The workflow has ended.')]
const WORK: Line = [/Work on/, says('Found something, and it is rather long: '.padEnd(400, '.'))]
const BYPASS = ['--permission-mode', 'bypassPermissions']
const workflows = { crowd: CROWD, 'fan-out': FAN_OUT }

describe('a session whose host', () => {
  it('does not read while a workflow runs loses no critical frame and buffers little', async () => {
    await using here = await createSurroundings({ model: [NEWS, WORK], workflows })
    await using host = new Host(here, { args: BYPASS, reading: false })
    host.say('/crowd')
    await until('all agents asked', () => here.model.requests.length >= AGENTS, 60)
    await wait(500)
    const peak = peakMemoryMiB(host.child.pid)
    host.resume()
    await host.until('the turn about it', () => host.frames().filter(isResult).length === 2)
    expect(await host.end()).toBe(0)
    expect(Object.values(notified(host.frames()))).toEqual(['completed'])
    expect(lastRows(host.frames())).toHaveLength(AGENTS)
    expect(problemText(checkFrames(host.recording))).toBe('')
    if (peak !== undefined) expect(peak).toBeLessThan(250)
  })

  it('reads in fits and starts loses no critical frame', async () => {
    await using here = await createSurroundings({ model: [NEWS, WORK], workflows })
    await using host = new Host(here, { args: BYPASS })
    host.say('/crowd')
    const turns = setInterval(() => {
      host.pause()
      setTimeout(() => host.resume(), 40)
    }, 50)
    await host.until('the turn about it', () => host.frames().filter(isResult).length === 2)
    clearInterval(turns)
    host.resume()
    expect(await host.end()).toBe(0)
    expect(problemText(checkFrames(host.recording))).toBe('')
  })

  it('closes its end of stdout in the middle of a workflow is not outlived', async () => {
    await using here = await createSurroundings({ model: [[/Work on/, hangs()]], workflows })
    await using host = new Host(here, { args: BYPASS })
    host.say('/fan-out')
    await until('four agents', () => here.model.requests.length === 4)
    host.child.stdout?.destroy()
    await exitWithin(host, 10)
    for (const { ended } of here.model.requests) expect(await ended).toBe('closed by client')
  })

  it('never reads stderr and closes it is served all the same', async () => {
    await using here = await createSurroundings({ model: [[/./, says('Well.')]] })
    await using host = new Host(here, { args: ['--verbose'] })
    host.child.stderr?.destroy()
    for (let n = 0; n < 300; n++) host.raw(`this is not a frame, number ${n}\n`)
    host.say('Go')
    await host.until('the result', () => host.frames().some(isResult))
    expect(await host.end()).toBe(0)
  })

  it('closes stdin at once ends with it', async () => {
    await using here = await createSurroundings({ model: [[/./, says('Well.')]] })
    await using host = new Host(here)
    host.child.stdin?.end()
    await exitWithin(host, 10)
    expect(await host.exited).toBe(0)
  })

  it('stops reading and sends SIGTERM gets its runs stopped, and no process is left', async () => {
    await using here = await createSurroundings({ model: [[/Work on/, hangs()]], workflows })
    await using host = new Host(here, { args: BYPASS })
    host.say('/fan-out')
    await until('four agents', () => here.model.requests.length === 4)
    host.pause()
    host.child.kill('SIGTERM')
    await exitWithin(host, 5)
    expect(host.child.exitCode).toBe(143)
    host.resume()
    await host.exited
    expect(host.frames().filter(isNotification)).toMatchObject([{ status: 'stopped' }])
    expect(problemText(checkFrames(host.recording, { cut: true }))).toBe('')
    for (const { ended } of here.model.requests) expect(await ended).toBe('closed by client')
  })
})

/** Waits for the process itself, whatever its pipes still hold. */
async function exitWithin({ child }: Host, seconds: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  await once(child, 'exit', { signal: AbortSignal.timeout(seconds * 1_000) })
}
