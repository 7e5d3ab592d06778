import type { OutputStream } from './io.ts'

/**
 * Writes and waits until the stream took it. A reader that has gone (EPIPE) is no error: resolves to false.
 * Rejects for anything else that keeps the text from being written.
 */
export function writeOut(stream: OutputStream, text: string): Promise<boolean> {
  if (text === '') return Promise.resolve(true)
  return new Promise((resolve, reject) => {
    stream.write(text, (error?: Error | null) => {
      if (!error) resolve(true)
      else if (isGone(error)) resolve(false)
      else reject(new Error(`cannot write to standard output: ${error.message}`, { cause: error }))
    })
  })
}

function isGone(error: Error): boolean {
  const { code } = error as { code?: string }
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED' || code === 'ECONNRESET'
}
