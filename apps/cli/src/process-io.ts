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
    exit: code => process.exit(code),
  }
}
