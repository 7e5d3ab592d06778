import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { inject } from 'vitest'
import type { RecordedLine } from '@tutti-internal/frame-check'
import type { Frame } from './frames.ts'
import type { Surroundings } from './surroundings.ts'

const FORMATS = ['--input-format', 'stream-json', '--output-format', 'stream-json']

export interface HostOptions {
  args?: string[]
  /** Default: true. Otherwise nothing is read until `resume`. */
  reading?: boolean
}

/** A host at the level of lines and bytes, for what no client would do. */
export class Host implements AsyncDisposable {
  readonly child: ChildProcess
  /** Everything that was said, by either side, whole lines only. */
  readonly recording: RecordedLine[] = []
  /** Bytes of stdout so far. */
  bytes = 0
  stderr = ''
  readonly exited: Promise<number | string>
  #rest: Buffer[] = []
  #watchers = new Set<() => void>()
  #ended = false

  constructor({ project, env }: Surroundings, { args = [], reading = true }: HostOptions = {}) {
    const program = inject('installation').program
    this.child = spawn(process.execPath, [program, ...FORMATS, ...args], {
      cwd: project.path,
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    this.exited = once(this.child, 'close').then(
      ([code, signal]) => (code as number | null) ?? String(signal),
    )
    // What it does not take any more is the subject of tests.
    this.child.stdin?.on('error', () => {})
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text))
    if (reading) this.resume()
  }

  /** Starts to read, if it did not yet, or again. */
  resume(): void {
    const { stdout } = this.child
    if (stdout === null) return
    if (stdout.listenerCount('data') > 0) return void stdout.resume()
    stdout.on('data', (chunk: Buffer) => this.#take(chunk))
    stdout.on('close', () => {
      this.#ended = true
      for (const watch of this.#watchers) watch()
    })
  }

  pause(): void {
    this.child.stdout?.pause()
  }

  /** A frame, written down. */
  send(frame: object): void {
    const line = JSON.stringify(frame)
    this.recording.push({ from: 'host', line })
    this.raw(`${line}\n`)
  }

  /** Any bytes; false when they wait. Frames among them are to be sent by `send`. */
  raw(bytes: string | Buffer): boolean {
    return this.child.stdin?.write(bytes) ?? false
  }

  request(id: string, request: object): void {
    this.send({ type: 'control_request', request_id: id, request })
  }

  say(text: string): void {
    this.send({ type: 'user', message: { role: 'user', content: text } })
  }

  /** The frames of the session. */
  frames(): Frame[] {
    return this.recording
      .filter(({ from }) => from === 'session')
      .map(({ line }) => JSON.parse(line) as Frame)
  }

  answer(id: string): Frame | undefined {
    const answers = this.frames().filter(({ type }) => type === 'control_response')
    return answers.map(({ response }) => response as Frame).find(response => response['request_id'] === id)
  }

  /** Resolves as soon as it holds; looked at after each piece that was read. */
  async until(what: string, holds: () => boolean, seconds: number = 30): Promise<void> {
    if (holds()) return
    let timer: NodeJS.Timeout | undefined
    try {
      await new Promise<void>((resolve, reject) => {
        const fail = (why: string): void =>
          reject(new Error(`${what}: ${why}\n${this.stderr.slice(0, 2_000)}`))
        timer = setTimeout(() => fail(`not within ${seconds} s`), seconds * 1_000)
        this.#watchers.add(() => {
          if (holds()) resolve()
          else if (this.#ended) fail('the session has ended')
        })
        if (this.#ended) fail('the session has ended')
      })
    } finally {
      clearTimeout(timer)
      this.#watchers.clear()
    }
  }

  /** Ends the input and waits for the process. */
  async end(): Promise<number | string> {
    this.child.stdin?.end()
    return this.exited
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill('SIGKILL')
    await this.exited
  }

  #take(chunk: Buffer): void {
    this.bytes += chunk.length
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      const line = Buffer.concat([...this.#rest, chunk.subarray(from, end)]).toString('utf8')
      this.#rest = []
      this.recording.push({ from: 'session', line })
      from = end + 1
    }
    if (from < chunk.length) this.#rest.push(chunk.subarray(from))
    for (const watch of this.#watchers) watch()
  }
}
