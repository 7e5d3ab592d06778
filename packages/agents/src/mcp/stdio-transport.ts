import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  ReadBuffer,
  serializeMessage,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client'
import type { ProcessGroups } from '../process-groups.ts'
import { startGated } from '../shell/gated-process.ts'
import { Tail } from '../shell/output.ts'

export interface StdioServer {
  command: string
  args: string[]
  cwd: string
  env: Record<string, string>
  groups?: ProcessGroups
}

const GRACE_MS = 500
const STDERR_BYTES = 2000

/** Talks to a server that is a process group of its own; closing ends all of the group. */
export class StdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #server: StdioServer
  readonly #complaints = new Tail(STDERR_BYTES)
  readonly #buffer = new ReadBuffer()
  #child: ChildProcess | undefined

  constructor(server: StdioServer) {
    this.#server = server
  }

  /** The end of what it wrote to stderr. */
  get complaints(): string {
    return this.#complaints.text().trim()
  }

  get running(): boolean {
    return this.#child !== undefined
  }

  async start(): Promise<void> {
    const { command, args, cwd, env, groups } = this.#server
    const child = startGated({ argv: [command, ...args], cwd, env, stdin: 'pipe', ...(groups && { groups }) })
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', reject)
    })
    this.#child = child
    child.on('error', error => this.onerror?.(error))
    child.once('exit', () => void this.close())
    child.stdin.on('error', error => this.onerror?.(error))
    child.stderr.on('data', (chunk: Buffer) => this.#complaints.add(chunk))
    child.stdout.on('data', (chunk: Buffer) => this.#receive(chunk))
    this.hold(false)
  }

  /** Whether a wait for the server keeps the program running. */
  hold(on: boolean): void {
    for (const part of [this.#child, this.#child?.stdout, this.#child?.stderr, this.#child?.stdin]) {
      const handle = part as { ref?(): void; unref?(): void } | undefined | null
      if (on) handle?.ref?.()
      else handle?.unref?.()
    }
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const child = this.#child
    if (!child?.stdin?.writable) throw new Error('the server is not running')
    if (!child.stdin.write(serializeMessage(message)))
      await new Promise<void>(resolve => child.stdin?.once('drain', resolve).once('close', resolve))
  }

  async close(): Promise<void> {
    const child = this.#child
    if (!child) return
    this.#child = undefined
    child.stdin?.end()
    if (child.pid !== undefined) {
      await endGroup(child.pid)
      this.#server.groups?.remove(child.pid)
    }
    this.onclose?.()
  }

  #receive(chunk: Buffer): void {
    try {
      this.#buffer.append(chunk)
    } catch (error) {
      // A message that is too long is lost, and what comes next would be its rest.
      this.onerror?.(errorOf(error))
      void this.close()
      return
    }
    while (this.#pass());
  }

  /** Hands a message on; one that is none keeps no other back. False when there is none. */
  #pass(): boolean {
    try {
      const message = this.#buffer.readMessage()
      if (message) this.onmessage?.(message)
      return message !== null
    } catch (error) {
      this.onerror?.(errorOf(error))
      return true
    }
  }
}

function errorOf(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

async function endGroup(group: number): Promise<void> {
  for (const [signal, ms] of [
    ['SIGTERM', GRACE_MS],
    ['SIGKILL', 0],
  ] as const) {
    try {
      process.kill(-group, signal)
    } catch {
      return
    }
    if (ms > 0) await sleep(ms, undefined, { ref: false })
  }
}
