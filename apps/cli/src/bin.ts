#!/usr/bin/env node
import { VERSION } from './version.ts'

/** Readers that never read standard error do not hold up the end, nor any reader that of a stopped run. */
const STDERR_WAIT_MS = 500
const STOPPED_WAIT_MS = 500
const FIRST_SIGNAL_CODE = 129

// Nothing else is loaded for the version.
if (process.argv.length === 3 && process.argv[2] === '--version') {
  process.stdout.write(`${VERSION}\n`)
} else {
  await start()
}

async function start(): Promise<void> {
  const [{ main }, { processIo }] = await Promise.all([import('./main.ts'), import('./process-io.ts')])
  // Timers of the runtime do not keep the process alive; the command does, until it is done.
  const alive = setInterval(() => {}, 2 ** 30)
  const code = await main(process.argv.slice(2), processIo())
  clearInterval(alive)
  const patience = code >= FIRST_SIGNAL_CODE ? STOPPED_WAIT_MS : undefined
  await Promise.all([drained(process.stdout, patience), drained(process.stderr, STDERR_WAIT_MS)])
  // Idle connections of a backend must not keep the process.
  process.exit(code)
}

function drained(stream: NodeJS.WriteStream, waitMs?: number): Promise<void> {
  return new Promise(resolve => {
    if (waitMs !== undefined) setTimeout(resolve, waitMs).unref()
    if (stream.destroyed || stream.writableLength === 0) resolve()
    else stream.write('', () => resolve())
  })
}
