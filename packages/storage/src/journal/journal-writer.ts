import { JournalError } from '@tutti/runtime'
import { writeFailed } from '../files/file-errors.ts'
import type { FileHandle } from '../files/file-system.ts'
import { writeFully } from '../files/write-atomically.ts'

/** What a journal writer works on. */
export interface JournalWriterOptions {
  handle: FileHandle
  /** For messages. */
  path: string
  /** Bytes of whole lines that are in the file. */
  size: number
  /** Throws when this process may not write any more. Called before each write. */
  ensureHeld(): Promise<void>
  /** Called once, with the first failure. */
  onFailed(reason: Error): void
}

interface Waiter {
  resolve(): void
  reject(reason: Error): void
}

/** Lines that go to the disk together. */
interface Batch {
  text: string[]
  waiters: Waiter[]
}

/**
 * Appends lines in order. All lines of one moment share one write, and one sync if any of them is waited
 * for; while that is under way the next batch gathers. After the first failure nothing more is written.
 */
export class JournalWriter {
  readonly #options: JournalWriterOptions
  #size: number
  #batch: Batch = { text: [], waiters: [] }
  #flushing: Promise<void> | undefined
  #failure: Error | undefined
  #closed = false

  constructor(options: JournalWriterOptions) {
    this.#options = options
    this.#size = options.size
  }

  /** Resolves when the line is durable. */
  append(line: string): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure)
    if (this.#closed) return Promise.reject(this.#alreadyClosed())
    return new Promise((resolve, reject) => {
      this.#batch.waiters.push({ resolve, reject })
      this.appendLater(line)
    })
  }

  /** Written in order with the others; does not ask for a sync. */
  appendLater(line: string): void {
    if (this.#failure || this.#closed) return
    this.#batch.text.push(line)
    this.#flushing ??= this.#flush()
  }

  /** Ends writing: what waits, and all later appends, reject with the reason. */
  fail(reason: Error): void {
    if (this.#failure) return
    this.#failure = reason
    this.#options.onFailed(reason)
    const { waiters } = this.#batch
    this.#batch = { text: [], waiters: [] }
    for (const waiter of waiters) waiter.reject(reason)
  }

  /** Writes and syncs what is pending, then closes the file. Never throws: failures were told before. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await this.#flushing
    if (!this.#failure) await this.#options.handle.datasync().catch((error: unknown) => this.#failed(error))
    await this.#options.handle.close().catch(() => {})
  }

  async #flush(): Promise<void> {
    // Everything that is appended in this turn of the event loop shares one write.
    await new Promise(resolve => setImmediate(resolve))
    while (this.#batch.text.length > 0) {
      const batch = this.#batch
      this.#batch = { text: [], waiters: [] }
      try {
        await this.#write(batch)
        if (this.#failure) throw this.#failure
      } catch (error) {
        const reason = this.#failed(error)
        for (const waiter of batch.waiters) waiter.reject(reason)
        break
      }
      for (const waiter of batch.waiters) waiter.resolve()
    }
    this.#flushing = undefined
  }

  async #write({ text, waiters }: Batch): Promise<void> {
    const { handle, ensureHeld } = this.#options
    await ensureHeld()
    const bytes = Buffer.from(text.join(''))
    try {
      await writeFully(handle, bytes)
    } catch (error) {
      await this.#cutTornLine().catch(() => {})
      throw error
    }
    this.#size += bytes.length
    if (waiters.length === 0) return
    const [stat] = await Promise.all([handle.stat(), handle.datasync()])
    if (stat.nlink === 0) throw Object.assign(new Error('the journal was removed'), { code: 'ENOENT' })
  }

  /** Keeps the whole lines of a write that broke off. Only while nobody else has written to the file. */
  async #cutTornLine(): Promise<void> {
    const { handle } = this.#options
    const { size } = await handle.stat()
    if (size <= this.#size) return
    const tail = Buffer.alloc(size - this.#size)
    const { bytesRead } = await handle.read(tail, 0, tail.length, this.#size)
    await handle.truncate(this.#size + tail.subarray(0, bytesRead).lastIndexOf(0x0a) + 1)
    await handle.datasync()
  }

  #failed(error: unknown): Error {
    const reason = this.#failure ?? writeFailed(this.#options.path, error)
    this.fail(reason)
    return reason
  }

  #alreadyClosed(): JournalError {
    return new JournalError(
      'journal-write-failed',
      `${this.#options.path} is closed: this writer has given the run up. Open the run again to go on.`,
    )
  }
}
