import type { Io } from './io.ts'
import { programName } from './program-name.ts'

/** The process as the command sees it. */
export function processIo(): Io {
  return {
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    program: programName(process.argv[1], process.cwd()),
    onSignal(name, listener) {
      process.on(name, listener)
      return () => void process.removeListener(name, listener)
    },
    onExit(listener) {
      process.on('exit', listener)
      return () => void process.removeListener('exit', listener)
    },
    ...(process.stdin.isTTY && process.stderr.isTTY && { question: askAtTerminal }),
    exit: code => process.exit(code),
  }
}

/** Ctrl-C and the end of input are no answer. */
async function askAtTerminal(text: string): Promise<string | undefined> {
  const { createInterface } = await import('node:readline/promises')
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const leaving = new AbortController()
  lines.once('SIGINT', () => leaving.abort())
  lines.once('close', () => leaving.abort())
  try {
    return await lines.question(text, { signal: leaving.signal })
  } catch {
    return undefined
  } finally {
    lines.close()
  }
}
