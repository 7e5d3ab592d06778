import type { Readable, Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ProcessGroups } from '../process-groups.ts'
import { startGated, type GatedChild, type GatedProcess } from '../shell/gated-process.ts'
import { Tail } from '../shell/output.ts'
import { endGroup } from '../shell/process-group.ts'

export interface AgentProcessOptions {
  command: string
  args: string[]
  cwd: string
  env: Record<string, string>
  /** Told of the group while anything of it may live. */
  groups?: ProcessGroups
  /** Written to standard input, which is then closed; absent: left open. */
  input?: string
  /** A line of standard output, without its end. Undefined: one that is too long. */
  onLine?(line: string | undefined): void
  /** Anything on standard error. */
  onNoise?(): void
}

export interface ProcessEnd {
  code: number | null
  signal: NodeJS.Signals | null
  /** The end of it. */
  stderr: string
}

/** A running command of another product. */
export interface AgentProcess {
  streams: { stdin: Writable; stdout: Readable }
  /** Resolves when the command and everything in its group is gone. */
  ended: Promise<ProcessEnd>
  /** Ends the group: SIGTERM, and SIGKILL a second later. */
  end(): void
}

/** The command could not be started. */
export class SpawnError extends Error {
  constructor(command: string, cause: NodeJS.ErrnoException) {
    const why =
      cause.code === 'ENOENT' ? 'it was not found; install it, or check PATH' : (cause.code ?? cause.message)
    super(`the command "${command}" could not be started: ${why}`, { cause })
    this.name = 'SpawnError'
  }
}

const LONGEST_LINE = 32 * 1024 * 1024
const STDERR_BYTES = 16 * 1024
const OUTPUT_GRACE_MS = 250

/** Starts a command as the leader of a process group of its own. Rejects with SpawnError. */
export async function startAgentProcess(options: AgentProcessOptions): Promise<AgentProcess> {
  const { command, args, cwd, env, groups } = options
  const child = startOrTell({ argv: [command, ...args], cwd, env, stdin: 'pipe', ...(groups && { groups }) })
  const err = new Tail(STDERR_BYTES)
  const closed = new Promise(done => child.once('close', done))
  const exited = new Promise<Pick<ProcessEnd, 'code' | 'signal'>>(resolve =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  )
  child.stdin.on('error', () => {})
  child.stderr.on('data', (chunk: Buffer) => {
    err.add(chunk)
    options.onNoise?.()
  })
  const lines = options.onLine && splitLines(child.stdout, options.onLine)
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', error => reject(new SpawnError(command, error)))
  })
  const group = child.pid as number
  if (options.input !== undefined) child.stdin.end(options.input)
  let ending: Promise<void> | undefined
  const end = (): void => void (ending ??= endGroup(group))
  return { streams: child, end, ended: finish() }

  /** A process that left the group may still hold the pipes; it is not waited for. */
  async function finish(): Promise<ProcessEnd> {
    const how = await exited
    end()
    await ending
    groups?.remove(group)
    await Promise.race([closed, sleep(OUTPUT_GRACE_MS)])
    lines?.end()
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy()
    return { ...how, stderr: err.text() }
  }
}

function startOrTell(options: GatedProcess<'pipe'>): GatedChild<'pipe'> {
  try {
    return startGated(options)
  } catch (error) {
    throw new SpawnError(options.argv[0] ?? '', error as NodeJS.ErrnoException)
  }
}

function splitLines(
  stream: NodeJS.ReadableStream,
  onLine: (line: string | undefined) => void,
): { end(): void } {
  const decoder = new StringDecoder('utf8')
  let parts: string[] = []
  let length = 0
  const finish = (last: string): void => {
    const line = parts.join('') + last
    const tooLong = length + last.length > LONGEST_LINE
    parts = []
    length = 0
    if (tooLong) onLine(undefined)
    else if (line.trim() !== '') onLine(line.replace(/\r$/, ''))
  }
  stream.on('data', (chunk: Buffer) => {
    const [first = '', ...others] = decoder.write(chunk).split('\n')
    const rest = others.pop()
    if (rest === undefined) return keep(first)
    finish(first)
    for (const line of others) finish(line)
    keep(rest)
  })

  function keep(text: string): void {
    length += text.length
    if (length <= LONGEST_LINE) parts.push(text)
  }
  return { end: () => finish('') }
}
