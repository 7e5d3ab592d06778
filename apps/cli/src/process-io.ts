import type { Io, QuestionOptions } from './io.ts'
import { programName } from './program-name.ts'

/** How often a question whose text changes is shown anew. */
const REFRESH_MS = 1000

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

/** Ctrl-C and the end of input are no answer; Ctrl-C then interrupts the process as it does elsewhere. */
async function askAtTerminal(
  text: string | (() => string),
  { signal }: QuestionOptions = {},
): Promise<string | undefined> {
  const { createInterface } = await import('node:readline')
  if (signal?.aborted === true) return undefined
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const prompt = typeof text === 'string' ? () => text : text
  return await new Promise(resolve => {
    const end = (answer: string | undefined): void => {
      // Closing is told too, as an end without an answer; the first one counts.
      resolve(answer)
      clearInterval(refresh)
      signal?.removeEventListener('abort', takeBack)
      lines.close()
    }
    const show = (): void => {
      lines.setPrompt(prompt())
      lines.prompt(true)
    }
    const takeBack = (): void => {
      process.stderr.write('\n')
      end(undefined)
    }
    const refresh = typeof text === 'string' ? undefined : setInterval(show, REFRESH_MS)
    signal?.addEventListener('abort', takeBack, { once: true })
    lines.once('line', end)
    lines.once('SIGINT', () => {
      takeBack()
      process.kill(process.pid, 'SIGINT')
    })
    lines.once('close', () => end(undefined))
    show()
  })
}
