import type { FileHandle } from 'node:fs/promises'
import { OUTPUT_LIMIT, shortened, type Spill } from './spill.ts'

const MOST_BYTES = 32 * 1024 * 1024

/** Output of a command as it comes: what fits is kept, more than that goes to a file, of at most 32 MiB. */
export interface OutputCollector {
  add(chunk: Buffer): void
  /** What the model is told. */
  text(): Promise<string>
}

export function collectOutput(spill: Spill): OutputCollector {
  const decoder = new TextDecoder()
  let kept = ''
  let total = 0
  let bytes = 0
  let file: { path: string; handle: FileHandle } | undefined
  let writing: Promise<unknown> = Promise.resolve()

  function write(text: string): void {
    writing = writing.then(async () => {
      file ??= await spill.open()
      await file.handle.write(text)
    })
    writing.catch(() => {})
  }

  return {
    add(chunk) {
      bytes += chunk.length
      if (bytes > MOST_BYTES) return
      const text = decoder.decode(chunk, { stream: true })
      const before = total
      total += text.length
      kept += text
      if (total <= OUTPUT_LIMIT) return
      write(before <= OUTPUT_LIMIT ? kept : text)
      if (kept.length > 2 * OUTPUT_LIMIT) kept = kept.slice(0, OUTPUT_LIMIT) + kept.slice(-OUTPUT_LIMIT)
    },
    async text() {
      const cut = bytes > MOST_BYTES ? `\n[${bytes - MOST_BYTES} bytes beyond 32 MiB were dropped]` : ''
      if (total <= OUTPUT_LIMIT) return kept
      const lost = await writing.then(
        () => undefined,
        (error: unknown) => error,
      )
      await file?.handle.close()
      const path = lost === undefined ? file?.path : undefined
      return shortened(kept, path === undefined ? { total } : { total, path }) + cut
    },
  }
}
