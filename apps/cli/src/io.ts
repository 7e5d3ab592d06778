import type { Clock, Random } from '@tutti/runtime'

/** A stream to write to, and the terminal it may be. */
export interface OutputStream {
  write(text: string, done?: (error?: Error | null) => void): boolean
  once(event: 'drain', listener: () => void): unknown
  on(event: 'error' | 'close' | 'resize', listener: () => void): unknown
  removeListener(event: 'resize', listener: () => void): unknown
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
  readonly writableLength?: number
}

/** What is written to the command. */
export interface InputStream extends AsyncIterable<Uint8Array> {
  readonly isTTY?: boolean
}

export type SignalName = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGQUIT'

export interface QuestionOptions {
  /** Takes the question back: there is no answer then. */
  signal?: AbortSignal
}

/** Everything outside that the command uses. */
export interface Io {
  stdout: OutputStream
  stderr: OutputStream
  /** Read by sessions only. Absent: there is none. */
  readonly stdin?: InputStream
  env: Record<string, string | undefined>
  cwd: string
  /** What a person types to start this command. */
  program: string
  /** Absent: the machine's. */
  clock?: Clock
  random?: Random
  /** Returns how to stop listening. */
  onSignal(name: SignalName, listener: () => void): () => void
  /** Heard when the process ends, whatever ends it; returns how to stop listening. */
  onExit(listener: () => void): () => void
  /** Asks the person at the terminal; undefined when there is no answer. Absent when nobody is there. */
  question?(text: string | (() => string), options?: QuestionOptions): Promise<string | undefined>
  /** Leaves at once. */
  exit(code: number): void
}
