import { describe, expect, test } from 'vitest'
import { MAX_LINE_BYTES } from '@tutti/protocol'
import { readLines } from '../../src/input/read-lines.ts'

async function* chunks(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}

describe('reading lines', () => {
  test('waits for room after each chunk', async () => {
    const seen: number[] = []
    let release: () => void = () => {}
    const reading = readLines(chunks('1\n2\n', '3\n'), {
      onLine: line => void (line.ok && seen.push(line.value as number)),
      room: () => new Promise(resolve => (release = resolve)),
      signal: new AbortController().signal,
    })
    await new Promise(resolve => setImmediate(resolve))
    expect(seen).toEqual([1, 2])
    release()
    await new Promise(resolve => setImmediate(resolve))
    expect(seen).toEqual([1, 2, 3])
    release()
    await reading
  })

  test.each(['a stream that never yields', 'a reader that never has room'])(
    '%s does not hold up an abort',
    async what => {
      const controller = new AbortController()
      const silent = what.startsWith('a stream')
      let returned = false
      const input: AsyncIterable<Uint8Array> = {
        [Symbol.asyncIterator]: () => ({
          next: () =>
            silent ? new Promise(() => {}) : Promise.resolve({ done: false, value: Buffer.from('1\n') }),
          return: async () => {
            returned = true
            return { done: true, value: undefined }
          },
        }),
      }
      const reading = readLines(input, {
        onLine: () => {},
        room: () => new Promise(() => {}),
        signal: controller.signal,
      })
      controller.abort()
      await reading
      expect(returned).toBe(true)
    },
  )

  test('a line over the limit is refused, and the next one is read', async () => {
    const half = Buffer.alloc(MAX_LINE_BYTES / 2 + 1, 97)
    async function* long(): AsyncGenerator<Uint8Array> {
      yield half
      yield half
      yield Buffer.from('\n7\n')
    }
    const seen: unknown[] = []
    await readLines(long(), {
      onLine: line => void seen.push(line.ok ? line.value : line.reason),
      room: async () => {},
      signal: new AbortController().signal,
    })
    expect(seen).toEqual(['too-long', 7])
  })
})
