import { PassThrough, Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { createFrameWriter, type OutgoingFrame } from '../src/frame-writer.ts'

const snapshot = (task_id: string, text: string): OutgoingFrame & { text: string } => ({
  type: 'system',
  subtype: 'task_progress',
  task_id,
  text,
})
const update = (task_id: string, text: string): OutgoingFrame & { text: string } => ({
  type: 'system',
  subtype: 'task_updated',
  task_id,
  text,
})

/** A stream that takes `first` bytes' worth of writes and then nothing until it is read. */
function slowStream(): PassThrough {
  return new PassThrough({ highWaterMark: 1 })
}

function linesOf(stream: PassThrough): string[] {
  const text = String(stream.read() ?? '')
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => (JSON.parse(line) as { text: string }).text)
}

async function readAll(stream: PassThrough): Promise<string[]> {
  const lines: string[] = []
  for (;;) {
    const read = linesOf(stream)
    lines.push(...read)
    await new Promise(resolve => setImmediate(resolve))
    if (read.length === 0 && stream.readableLength === 0 && stream.writableLength === 0) return lines
  }
}

test('frames leave as lines, in order', async () => {
  const stream = new PassThrough()
  const writer = createFrameWriter(stream)
  writer.write(update('a', '1'))
  writer.write(snapshot('a', '2'))
  await writer.flush()
  expect(linesOf(stream)).toEqual(['1', '2'])
})

test('an unsent snapshot gives way to a newer one of its task, and to no other', async () => {
  const stream = slowStream()
  const writer = createFrameWriter(stream)
  writer.write(update('a', 'first'))
  for (let at = 1; at <= 5; at++) writer.write(snapshot('a', `a${at}`))
  writer.write(snapshot('b', 'b1'))
  expect(writer.waiting).toBe(2)
  expect(await readAll(stream)).toEqual(['first', 'a5', 'b1'])
})

test('a snapshot that a status change follows stays', async () => {
  const stream = slowStream()
  const writer = createFrameWriter(stream)
  writer.write(update('a', 'first'))
  writer.write(snapshot('a', 'before'))
  writer.write(update('a', 'paused'))
  writer.write(snapshot('a', 'after 1'))
  writer.write(snapshot('a', 'after 2'))
  expect(await readAll(stream)).toEqual(['first', 'before', 'paused', 'after 2'])
})

test('a reader that never reads costs no more than 16 MB', () => {
  const stream = slowStream()
  const writer = createFrameWriter(stream)
  const text = 'x'.repeat(1024 * 1024)
  for (let at = 0; at < 200; at++) writer.write(snapshot('a', text))
  expect(writer.buffered).toBeLessThan(16 * 1000 * 1000)
  expect(writer.waiting).toBe(1)
})

test('nothing but snapshots is ever dropped', async () => {
  const stream = slowStream()
  const writer = createFrameWriter(stream)
  for (let at = 0; at < 300; at++) {
    writer.write(update('a', `u${at}`))
    writer.write(snapshot('a', `s${at}`))
  }
  const lines = await readAll(stream)
  expect(lines.filter(line => line.startsWith('u'))).toEqual(Array.from({ length: 300 }, (_, at) => `u${at}`))
})

test('says what a frame weighed once it was handed over', async () => {
  const stream = slowStream()
  const writer = createFrameWriter(stream)
  const sizes: number[] = []
  writer.write(update('a', 'first'))
  writer.write(snapshot('a', 'é'), bytes => sizes.push(bytes))
  expect(sizes).toEqual([])
  await readAll(stream)
  expect(sizes).toEqual([Buffer.byteLength(`${JSON.stringify(snapshot('a', 'é'))}\n`)])
})

test('flush resolves when the slow reader took everything', async () => {
  const stream = slowStream()
  const writer = createFrameWriter(stream)
  writer.write(update('a', '1'))
  writer.write(update('a', '2'))
  let flushed = false
  const flush = writer.flush().then(() => (flushed = true))
  await new Promise(resolve => setImmediate(resolve))
  expect(flushed).toBe(false)
  await readAll(stream)
  await flush
  expect(flushed).toBe(true)
})

test('a reader that goes away is told once, and nothing throws', async () => {
  const stream = new Writable({
    highWaterMark: 1,
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('gone'), { code: 'EPIPE' })),
  })
  const writer = createFrameWriter(stream)
  let closed = 0
  writer.onClosed(() => closed++)
  writer.write(update('a', '1'))
  writer.write(update('a', '2'))
  await writer.flush()
  await new Promise(resolve => setImmediate(resolve))
  writer.write(update('a', '3'))
  expect(writer.closed).toBe(true)
  expect(closed).toBe(1)
  expect(writer.waiting).toBe(0)
})
