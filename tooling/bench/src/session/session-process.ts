import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** `TUTTI_PROGRAM` names another build to measure. */
const PROGRAM =
  process.env['TUTTI_PROGRAM'] ?? fileURLToPath(new URL('../../../apps/cli/dist/bin.js', import.meta.url))

const ARGUMENTS = [
  '--input-format',
  'stream-json',
  '--output-format',
  'stream-json',
  '--permission-mode',
  'bypassPermissions',
]

/** A line of stdout and when it was read, on the clock of `performance.now()`. */
export interface Seen {
  at: number
  line: string
}

export interface SessionProcessOptions {
  /** Project and store. */
  folder: string
  /** Of the model server; absent: there is none. */
  modelUrl?: string
  /** Default: true. Otherwise `readSome` must be called. */
  reading?: boolean
}

/** A session in a process of its own, and its host. */
export class SessionProcess implements AsyncDisposable {
  readonly child: ChildProcess
  readonly startedAt: number
  readonly seen: Seen[] = []
  /** Of stdout. */
  bytes = 0
  peakMiB = 0
  #stderr = ''
  #rest: Buffer[] = []
  #watch: () => void = () => {}
  #ended = false

  constructor({ folder, modelUrl, reading = true }: SessionProcessOptions) {
    this.startedAt = performance.now()
    this.child = spawn(process.execPath, [PROGRAM, ...ARGUMENTS], {
      cwd: folder,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: folder,
        CLAUDE_CONFIG_DIR: `${folder}/store`,
        ANTHROPIC_API_KEY: 'key-of-the-benchmark',
        ANTHROPIC_MODEL: 'mock-model',
        TUTTI_MAX_CONCURRENT_AGENTS: '16',
        ...(modelUrl !== undefined && { ANTHROPIC_BASE_URL: modelUrl }),
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    this.child.stdin?.on('error', () => {})
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.#stderr += text))
    this.child.stdout?.on('close', () => {
      this.#ended = true
      this.#watch()
    })
    if (reading) this.child.stdout?.on('data', (chunk: Buffer) => this.#take(chunk))
    else this.child.stdout?.pause()
  }

  /** Gives the moment at which it was handed over. */
  send(frame: object): number {
    this.child.stdin?.write(`${JSON.stringify(frame)}\n`)
    return performance.now()
  }

  say(text: string): number {
    return this.send({ type: 'user', message: { role: 'user', content: text } })
  }

  request(id: string, subtype: string): number {
    return this.send({ type: 'control_request', request_id: id, request: { subtype } })
  }

  /** The first line that fits; waits for it for at most a minute. */
  async line(what: string, fits: (frame: Record<string, unknown>) => boolean): Promise<Seen> {
    let from = 0
    const find = (): Seen | undefined => {
      for (; from < this.seen.length; from++) {
        const seen = this.seen[from]
        if (seen && fits(JSON.parse(seen.line) as Record<string, unknown>)) return seen
      }
      return undefined
    }
    const until = performance.now() + 60_000
    const timer = setTimeout(() => this.#watch(), 60_000)
    try {
      for (;;) {
        const found = find()
        if (found) return found
        if (this.#ended || performance.now() >= until)
          throw new Error(`${what} was not seen\n${this.#stderr}`)
        await new Promise<void>(resolve => (this.#watch = resolve))
      }
    } finally {
      clearTimeout(timer)
    }
  }

  /** Takes what waits in the pipe; false when the stream has ended. */
  readSome(): boolean {
    const chunk = this.child.stdout?.read() as Buffer | null
    if (chunk !== null) this.#take(chunk)
    return !this.#ended
  }

  /** Reads on by itself. */
  readOn(): void {
    this.child.stdout?.on('data', (chunk: Buffer) => this.#take(chunk)).resume()
  }

  /** Ends the input and waits for the process; throws when it does not end well. */
  async end(): Promise<void> {
    const closed = once(this.child, 'close')
    this.child.stdin?.end()
    const [code] = (await closed) as [number | null]
    if (code !== 0) throw new Error(`the session ended with ${code}\n${this.#stderr}`)
  }

  lines(): string[] {
    return this.seen.map(({ line }) => line)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return
    this.child.stdout?.resume()
    const closed = once(this.child, 'close')
    this.child.kill('SIGKILL')
    await closed
  }

  #take(chunk: Buffer): void {
    const at = performance.now()
    this.bytes += chunk.length
    this.#measure()
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      const line = Buffer.concat([...this.#rest, chunk.subarray(from, end)]).toString('utf8')
      this.#rest = []
      this.seen.push({ at, line })
      from = end + 1
    }
    if (from < chunk.length) this.#rest.push(chunk.subarray(from))
    this.#watch()
  }

  /** Peak resident memory as the system counts it; it is gone when the process is. */
  #measure(): void {
    try {
      const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8')
      this.peakMiB = Math.max(this.peakMiB, Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024)
    } catch {
      return
    }
  }
}
