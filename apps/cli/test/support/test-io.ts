import type { Clock, Random } from '@tutti/runtime'
import type { InputStream, Io, OutputStream, SignalName } from '../../src/io.ts'

export interface MemoryStream extends OutputStream {
  text(): string
  /** From now on every write fails with this code. */
  breakWith(code: string): void
  /** From now on nobody reads: writes are taken but never drain. */
  stall(): void
}

export function memoryStream(shape: { isTTY?: boolean; columns?: number; rows?: number } = {}): MemoryStream {
  let text = ''
  let broken: string | undefined
  let stalled = false
  const errorListeners: (() => void)[] = []
  return {
    ...shape,
    write(chunk, done) {
      if (broken !== undefined) {
        const error = Object.assign(new Error('broken'), { code: broken })
        for (const listener of errorListeners) listener()
        done?.(error)
        return false
      }
      text += chunk
      if (!stalled) done?.()
      return !stalled
    },
    once: () => undefined,
    on(event, listener) {
      if (event === 'error') errorListeners.push(listener)
    },
    removeListener: () => undefined,
    text: () => text,
    breakWith(code) {
      broken = code
    },
    stall() {
      stalled = true
    },
  }
}

export interface TestIo extends Io {
  stdout: MemoryStream
  stderr: MemoryStream
  /** Codes the command left with at once. */
  exits: number[]
  /** What is heard when the process ends. */
  exitListeners: ReadonlySet<() => void>
  signal(name: SignalName): void
}

export interface TestIoOptions {
  stdin?: InputStream
  cwd: string
  env?: Record<string, string | undefined>
  stdout?: MemoryStream
  stderr?: MemoryStream
  clock?: Clock
  random?: Random
  program?: string
}

/** The outside of the command, in memory. */
export function createTestIo(options: TestIoOptions): TestIo {
  const listeners = new Map<SignalName, Set<() => void>>()
  const exits: number[] = []
  const exitListeners = new Set<() => void>()
  return {
    stdout: memoryStream(),
    stderr: memoryStream(),
    env: {},
    program: 'tutti',
    exits,
    exitListeners,
    exit: code => void exits.push(code),
    onExit(listener) {
      exitListeners.add(listener)
      return () => void exitListeners.delete(listener)
    },
    onSignal(name, listener) {
      const of = listeners.get(name) ?? new Set()
      listeners.set(name, of.add(listener))
      return () => void of.delete(listener)
    },
    signal(name) {
      for (const listener of listeners.get(name) ?? []) listener()
    },
    ...options,
  }
}
