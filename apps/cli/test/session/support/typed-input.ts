import type { InputStream } from '../../../src/io.ts'

/** A standard input that a test writes to. */
export interface TypedInput extends InputStream {
  /** One line of JSON. */
  send(frame: object): void
  raw(text: string): void
  end(): void
}

export function typedInput(): TypedInput {
  const waiting: Buffer[] = []
  let ended = false
  let wake: () => void = () => {}
  return {
    send(frame) {
      this.raw(`${JSON.stringify(frame)}\n`)
    },
    raw(text) {
      waiting.push(Buffer.from(text))
      wake()
    },
    end() {
      ended = true
      wake()
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const next = waiting.shift()
        if (next !== undefined) yield next
        else if (ended) return
        else await new Promise<void>(resolve => (wake = resolve))
      }
    },
  }
}

export function userLine(text: string): object {
  return { type: 'user', message: { role: 'user', content: text } }
}
