import { spawn, type ChildProcessByStdio } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '@tutti/runtime'
import type { ProcessGroups } from '../process-groups.ts'
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
 * Waits for a word on descriptor 3 before it becomes the command: until the group is known to those who end it with
 * us, nothing runs. Without the word, because we are gone, nothing ever does.
 */
const GATE = 'read -r go <&3 || exit 125; exec 3<&-; exec "$@"'

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
    const child = spawn('/bin/sh', ['-c', GATE, 'sh', ...argv], {
      cwd: run.cwd,
      env: run.env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    }) as ChildProcessByStdio<null, Readable, Readable>
    const out = new Head(STDOUT_BYTES)
    const err = new Tail(STDERR_BYTES)
    const closed = new Promise(done => child.once('close', done))
    if (child.pid !== undefined) run.groups?.add(child.pid)
    const gate = child.stdio[3] as Writable
    gate.on('error', () => {})
    gate.end('go\n')
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
      run.groups?.remove(child.pid as number)
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
