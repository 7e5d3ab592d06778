import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '@tutti/runtime'
import type { ProcessGroups } from '../process-groups.ts'
import { startGated } from './gated-process.ts'
import { Head, Tail } from './output.ts'

export interface CommandRun {
  command: string
  cwd: string
  env: Record<string, string>
  timeoutMs: number
  signal: AbortSignal
  clock: Clock
  /** Told of the group while anything of it may live. */
  groups?: ProcessGroups
  /** Default `/bin/sh`. */
  shell?: string
  /** Makes another command line of the shell's: that of a sandbox. */
  wrap?(argv: string[]): Promise<string[]>
  /** Called for each piece of output, of either stream. */
  onOutput(chunk: Buffer): void
}

export interface CommandEnd {
  /** What ended it: by itself, its time, or the signal. */
  by: 'exit' | 'timeout' | 'abort'
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  /** Bytes of stdout that were not kept. */
  cut: number
  /** The end of stderr. */
  stderr: string
}

const STDOUT_BYTES = 1024 * 1024
const STDERR_BYTES = 8 * 1024
const TERM_GRACE_MS = 1000
const OUTPUT_GRACE_MS = 250
const POLL_MS = 25

/**
 * Runs a command with a shell as the leader of a process group of its own. When it ends, by itself or not, so
 * does the whole group: SIGTERM, and SIGKILL a second later. Rejects when it cannot be started.
 */
export async function runCommand(run: CommandRun): Promise<CommandEnd> {
  const argv = [run.shell ?? '/bin/sh', '-c', run.command]
  return runArguments(run, run.wrap ? await run.wrap(argv) : argv)
}

function runArguments(run: CommandRun, argv: string[]): Promise<CommandEnd> {
  const { clock, signal } = run
  return new Promise((resolve, reject) => {
    const { cwd, env, groups } = run
    const child = startGated({ argv, cwd, env, stdin: 'ignore', ...(groups && { groups }) })
    const out = new Head(STDOUT_BYTES)
    const err = new Tail(STDERR_BYTES)
    const closed = new Promise(done => child.once('close', done))
    let by: CommandEnd['by'] = 'exit'
    let exited = false
    let ending: Promise<void> | undefined
    const limit = clock.timer(run.timeoutMs, () => interrupt('timeout'))
    const abort = (): void => interrupt('abort')

    collect(child.stdout, out)
    collect(child.stderr, err)
    signal.addEventListener('abort', abort, { once: true })
    child.once('error', error => {
      release()
      reject(error)
    })
    child.once('exit', (code, killedBy) => {
      exited = true
      release()
      void finish().then(() =>
        resolve({ by, code, signal: killedBy, stdout: out.text(), cut: out.cut, stderr: err.text() }),
      )
    })
    if (signal.aborted) abort()

    function collect(stream: NodeJS.ReadableStream, into: Head | Tail): void {
      stream.on('data', (chunk: Buffer) => {
        into.add(chunk)
        run.onOutput(chunk)
      })
    }

    function interrupt(reason: 'timeout' | 'abort'): void {
      if (exited || by !== 'exit' || child.pid === undefined) return
      by = reason
      ending = endGroup(child.pid)
    }

    function release(): void {
      limit.cancel()
      signal.removeEventListener('abort', abort)
    }

    /** A process that left the group may still hold the pipes; it is not waited for. */
    async function finish(): Promise<void> {
      await (ending ?? endGroup(child.pid as number))
      groups?.remove(child.pid as number)
      await Promise.race([closed, sleep(OUTPUT_GRACE_MS)])
      child.stdout.destroy()
      child.stderr.destroy()
    }
  })
}

/** Real time and not a clock's: it is the system that is waited for, and nothing may be left behind. */
export async function endGroup(group: number): Promise<void> {
  if (!signalGroup(group, 'SIGTERM')) return
  for (let waited = 0; waited < TERM_GRACE_MS; waited += POLL_MS) {
    await sleep(POLL_MS)
    if (!signalGroup(group, 0)) return
  }
  signalGroup(group, 'SIGKILL')
}

/** False when nothing of the group is left. */
function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal)
    return true
  } catch {
    return false
  }
}
