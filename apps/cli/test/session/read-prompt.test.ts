import { createVirtualClock } from '@tutti/runtime/testing'
import { describe, expect, test } from 'vitest'
import type { InputStream } from '../../src/io.ts'
import { readPrompt } from '../../src/session/read-prompt.ts'

function input(chunks: (string | Uint8Array)[], isTTY?: boolean): InputStream {
  return {
    isTTY,
    async *[Symbol.asyncIterator]() {
      for (const chunk of chunks) yield Buffer.from(chunk as string)
    },
  }
}

/** A stream that is open and never says anything. */
const silent: InputStream = {
  [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }),
}

function read(
  words?: string,
  stdin?: InputStream,
): { prompt: Promise<string>; notes: string[]; late(): Promise<void> } {
  const clock = createVirtualClock()
  const notes: string[] = []
  const prompt = readPrompt({ words, stdin, clock, note: text => notes.push(text) })
  return { prompt, notes, late: () => clock.advance(3000) }
}

describe('the prompt', () => {
  test('is the words, when there is nothing else', async () => {
    expect(await read('fix it').prompt).toBe('fix it')
    expect(await read('fix it', input(['ignored'], true)).prompt).toBe('fix it')
  })

  test('is standard input, or has it behind the words', async () => {
    expect(await read(undefined, input(['a ', 'diff\n'])).prompt).toBe('a diff')
    expect(await read('explain', input(['a diff\n'])).prompt).toBe('explain\n\na diff')
    expect(await read('explain', input(['  \n'])).prompt).toBe('explain')
  })

  test('keeps characters that were cut in two', async () => {
    const bytes = Buffer.from('ä')
    expect(await read(undefined, input([bytes.subarray(0, 1), bytes.subarray(1)])).prompt).toBe('ä')
  })

  test('does not wait for a standard input that stays silent', async () => {
    const { prompt, notes, late } = read('fix it', silent)
    await late()
    expect(await prompt).toBe('fix it')
    expect(notes).toEqual(['nothing came on standard input within 3 s; going on with the prompt alone'])
  })

  test.each([undefined, input([]), input(['\n'])])('that is not there is refused', async stdin => {
    await expect(read(undefined, stdin).prompt).rejects.toThrow('there is no prompt')
  })
})
