import { checkFrames, problemText } from '@tutti-internal/frame-check'
import { describe, expect, it } from 'vitest'
import { Host } from '../support/host.ts'
import { peakMemoryMiB } from '../support/memory.ts'
import { says } from '../support/model-script.ts'
import { createSurroundings } from '../support/surroundings.ts'

const LIMIT = 64 * 1024 * 1024
const REQUESTS = 10_000

describe('a session', () => {
  it('takes a line of 64 MiB, refuses a longer one, and stays within its memory', async () => {
    await using here = await createSurroundings({ model: [[/./, says('Well.')]] })
    await using host = new Host(here)
    host.request('before', { subtype: 'initialize' })
    await host.until('the first answer', () => host.answer('before') !== undefined)
    host.raw(lineOf(LIMIT, 'long'))
    await host.until('the answer to the long line', () => host.answer('long') !== undefined, 50)
    host.raw(lineOf(LIMIT + 10, 'too-long'))
    host.raw(lineOf(2 * LIMIT, 'far-too-long'))
    host.request('after', { subtype: 'initialize' })
    await host.until('the last answer', () => host.answer('after') !== undefined, 50)
    const peak = peakMemoryMiB(host.child.pid)
    expect(host.answer('after')).toMatchObject({ subtype: 'success' })
    expect(host.answer('too-long')).toBeUndefined()
    expect(host.stderr).toMatch(/longer than/)
    expect(await host.end()).toBe(0)
    if (peak !== undefined) expect(peak).toBeLessThan(600)
  }, 120_000)

  it(`answers ${REQUESTS} requests that come at once, each exactly once`, async () => {
    await using here = await createSurroundings({ model: [[/./, says('Well.')]] })
    await using host = new Host(here)
    for (let n = 0; n < REQUESTS; n++) host.request(`q${n}`, { subtype: n % 2 ? 'mcp_status' : 'odd' })
    await host.until('all answers', () => answersIn(host) >= REQUESTS)
    const peak = peakMemoryMiB(host.child.pid)
    expect(await host.end()).toBe(0)
    expect(problemText(checkFrames(host.recording))).toBe('')
    if (peak !== undefined) expect(peak).toBeLessThan(250)
  })

  it(`answers ${REQUESTS} requests to a host that reads only afterwards`, async () => {
    await using here = await createSurroundings({ model: [[/./, says('Well.')]] })
    await using host = new Host(here, { reading: false })
    for (let n = 0; n < REQUESTS; n++) host.request(`q${n}`, { subtype: n % 2 ? 'mcp_status' : 'odd' })
    await settled(host)
    host.resume()
    await host.until('all answers', () => answersIn(host) >= REQUESTS)
    const peak = peakMemoryMiB(host.child.pid)
    expect(await host.end()).toBe(0)
    expect(problemText(checkFrames(host.recording))).toBe('')
    if (peak !== undefined) expect(peak).toBeLessThan(250)
  })
})

/** A request of exactly so many bytes. */
function lineOf(bytes: number, id: string): Buffer {
  const head = `{"type":"control_request","request_id":"${id}","request":{"subtype":"odd","filler":"`
  const tail = '"}}'
  return Buffer.concat([
    Buffer.from(head),
    Buffer.alloc(bytes - head.length - tail.length, 'x'),
    Buffer.from(`${tail}\n`),
  ])
}

function answersIn(host: Host): number {
  return host.recording.reduce((sum, { from }) => sum + (from === 'session' ? 1 : 0), 0)
}

/** Resolves when the session takes no more, or has taken all. */
async function settled(host: Host): Promise<void> {
  const stdin = host.child.stdin
  for (let last = -1; stdin && stdin.writableLength !== last && stdin.writableLength > 0;) {
    last = stdin.writableLength
    await new Promise(resolve => setTimeout(resolve, 500))
  }
}
