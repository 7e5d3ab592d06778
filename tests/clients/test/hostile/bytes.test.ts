import { seededNumbers } from '@tutti-internal/e2e/installed/seeded-numbers'
import { checkFrames, problemText } from '@tutti-internal/frame-check'
import { describe, expect, it } from 'vitest'
import { Host } from '../support/host.ts'
import { says } from '../support/model-script.ts'
import { createSurroundings } from '../support/surroundings.ts'

const SEEDS = process.env['CI'] ? [1, 2, 3] : [1]
const QUIET = 16 * 1024

/** Frames that are right by themselves. */
const FRAMES: object[] = [
  { type: 'control_request', request_id: 'f1', request: { subtype: 'initialize', hooks: {}, agents: {} } },
  { type: 'control_request', request_id: 'f2', request: { subtype: 'interrupt' } },
  { type: 'control_request', request_id: 'f3', request: { subtype: 'set_model', model: 'mock-model' } },
  { type: 'control_request', request_id: 'f4', request: { subtype: 'stop_task', task_id: 'w00000000' } },
  { type: 'control_request', request_id: 'f5', request: { subtype: 'mcp_status' } },
  { type: 'control_request', request_id: 'f6', request: { subtype: 'get_context_usage' } },
  { type: 'control_request', request_id: 'f7', request: { subtype: 'set_permission_mode', mode: 'plan' } },
  { type: 'control_response', response: { subtype: 'success', request_id: 'nobody', response: {} } },
  { type: 'control_cancel_request', request_id: 'nobody' },
  { type: 'user', message: { role: 'user', content: [{ type: 'text', text: 'Go on' }] } },
  { type: 'keep_alive' },
]

/** Right JSON, wrong in every other way. Each with an id must be answered. */
const WRONG: unknown[] = [
  null,
  42,
  'text',
  [],
  {},
  { type: 'workflow' },
  { type: 'odd', request_id: 'w1' },
  { type: 'control_request', request_id: 'w2' },
  { type: 'control_request', request_id: 'w3', request: null },
  { type: 'control_request', request_id: 'w4', request: { subtype: 'set_model', model: 5 } },
  { type: 'control_request', request_id: 'w5', request: { subtype: 'no_such_thing' } },
  { type: 'control_request', request_id: 'w6', request: { subtype: 'stop_task' } },
  { type: 'control_request', request_id: 'w7', request: { subtype: '__proto__' } },
  { type: 'control_request', request_id: 'w8', request: { subtype: 'initialize', hooks: 'none' } },
  { type: 'control_request', request_id: 7, request: { subtype: 'initialize' } },
  { type: 'user' },
  { type: 'user', message: null },
  { type: 'user', message: { role: 'user', content: 7 } },
  { type: 'user', message: { role: 'user', content: [null, 5, { type: 'image' }] } },
  { type: 'control_response', response: null },
  { type: 'control_cancel_request' },
]

describe.concurrent('a session that is sent', () => {
  it.each(SEEDS)('random bytes lives on, and answers (seed %s)', async seed => {
    await using here = await createSurroundings({ model: [[/./, says('Well.')]] })
    await using host = new Host(here)
    const random = seededNumbers(seed)
    for (let n = 0; n < 200; n++) host.raw(randomBytes(random, 1 + Math.floor(random() * 2_000)))
    host.raw('\n')
    host.request('after', { subtype: 'initialize' })
    await host.until('the answer', () => host.answer('after') !== undefined)
    expect(host.answer('after')).toMatchObject({ subtype: 'success' })
    expect(await host.end()).toBe(0)
    expect(host.stderr.length).toBeLessThan(QUIET)
    expect(problemText(checkFrames(host.recording))).toBe('')
  })

  it.each(SEEDS)('frames cut short and out of order lives on, and answers each (seed %s)', async seed => {
    await using here = await createSurroundings({ model: [[/./, says('Well.')]] })
    await using host = new Host(here)
    const random = seededNumbers(seed)
    for (let n = 0; n < 120; n++) {
      const frame = FRAMES[Math.floor(random() * FRAMES.length)] ?? {}
      const line = JSON.stringify({ ...frame, ...('request_id' in frame && { request_id: `r${n}` }) })
      const cut = random() < 0.4
      if (cut) host.raw(`${line.slice(0, Math.floor(random() * (line.length - 1)))}\n`)
      else host.send(JSON.parse(line) as object)
    }
    const asked = host.recording.flatMap(({ line }) => {
      const frame = JSON.parse(line) as { type: string; request_id?: string }
      return frame.type === 'control_request' ? [frame.request_id ?? ''] : []
    })
    await host.until('every answer', () => asked.every(id => host.answer(id) !== undefined))
    expect(await host.end()).toBe(0)
    expect(host.stderr.length).toBeLessThan(QUIET)
    expect(problemText(checkFrames(host.recording))).toBe('')
  })

  it('what is no frame refuses it by its id, and goes on', async () => {
    await using here = await createSurroundings({ model: [[/./, says('Well.')]] })
    await using host = new Host(here)
    for (const value of WRONG) host.send(value as object)
    host.request('after', { subtype: 'initialize' })
    host.say('Go on')
    await host.until('a result', () => host.frames().some(({ type }) => type === 'result'))
    for (const id of ['w1', 'w2', 'w3', 'w4', 'w5', 'w6', 'w7']) {
      expect(host.answer(id), id).toMatchObject({ subtype: 'error' })
    }
    expect(host.answer('w5')).toMatchObject({ error: expect.stringContaining('no_such_thing') })
    expect(host.answer('after')).toMatchObject({ subtype: 'success' })
    expect(host.frames().findLast(({ type }) => type === 'result')).toMatchObject({ result: 'Well.' })
    expect(await host.end()).toBe(0)
    expect(host.stderr.length).toBeLessThan(QUIET)
  })

  it('lines that are blank, end in CRLF, or come byte by byte hears every frame', async () => {
    await using here = await createSurroundings({ model: [[/gr\u00fc\u00df/, says('Hello.')]] })
    await using host = new Host(here)
    host.raw('\n  \r\n\t\n')
    host.raw('{"type":"control_request","request_id":"a","request":{"subtype":"initialize"}}\r\n')
    for (const byte of Buffer.from(
      '{"type":"user","message":{"role":"user","content":"gr\u00fc\u00df dich"}}\n',
    )) {
      host.raw(Buffer.from([byte]))
    }
    await host.until('the result', () => host.frames().some(({ type }) => type === 'result'))
    expect(host.answer('a')).toMatchObject({ subtype: 'success' })
    expect(host.frames().at(-1)).toMatchObject({ result: 'Hello.' })
    expect(await host.end()).toBe(0)
  })
})

function randomBytes(random: () => number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  for (let n = 0; n < length; n++) bytes[n] = Math.floor(random() * 256)
  return bytes
}
