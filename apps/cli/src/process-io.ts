import type { Io, QuestionOptions } from './io.ts'
import { programName } from './program-name.ts'

/** How often a question whose text changes is shown anew. */
const REFRESH_MS = 1000

/** The process as the command sees it. */
export function processIo(): Io {
  return {
    stdout: process.stdout,
    stderr: process.stderr,
    // Touched only when it is read: opening it costs time, and may keep a terminal in a state of its own.
    get stdin() {
      return process.stdin
    },
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

/** The end of input is no answer; Ctrl-C interrupts the process as it does elsewhere. */
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
      lines.removeListener('close', takeBack)
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
    // Whoever stops on it takes the question back.
    lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
    lines.once('close', takeBack)
    show()
  })
}
