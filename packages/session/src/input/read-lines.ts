import { createLineDecoder, type DecodedLine } from '@tutti/protocol'

export interface ReadLinesOptions {
  onLine(line: DecodedLine): void
  /** Waited for after each chunk: who does not read our answers is not read either. */
  room(): Promise<void>
  /** Ends the reading, whatever the stream does. */
  signal: AbortSignal
}

/** Reads lines in order until the stream ends or breaks, which is the same. Never rejects, never hangs on abort. */
export async function readLines(
  input: AsyncIterable<Uint8Array>,
  { onLine, room, signal }: ReadLinesOptions,
): Promise<void> {
  const decoder = createLineDecoder()
  const aborted = whenAborted(signal)
  const reader = input[Symbol.asyncIterator]()
  while (!signal.aborted) {
    const chunk = await Promise.race([next(reader), aborted])
    if (chunk === undefined) break
    for (const line of decoder.push(chunk)) onLine(line)
    await Promise.race([room(), aborted])
  }
  if (signal.aborted) {
    // Not waited for: a stream in the middle of a read may never answer.
    void Promise.resolve(reader.return?.()).catch(() => {})
    return
  }
  for (const line of decoder.flush()) onLine(line)
}

async function next(reader: AsyncIterator<Uint8Array>): Promise<Uint8Array | undefined> {
  try {
    const { done, value } = await reader.next()
    return done ? undefined : value
  } catch {
    return undefined
  }
}

function whenAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise(resolve => {
    if (signal.aborted) resolve(undefined)
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
}
