/** Keeps the beginning of a stream, up to a number of bytes. */
export class Head {
  readonly #limit: number
  #chunks: Buffer[] = []
  #kept = 0
  #total = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Bytes that were not kept. */
  get cut(): number {
    return this.#total - this.#kept
  }

  add(chunk: Buffer): void {
    this.#total += chunk.length
    const room = this.#limit - this.#kept
    if (room <= 0) return
    const kept = chunk.subarray(0, room)
    this.#chunks.push(kept)
    this.#kept += kept.length
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString('utf8')
  }
}

/** Keeps the end of a stream. */
export class Tail {
  readonly #limit: number
  #kept: Buffer = Buffer.alloc(0)

  constructor(limit: number) {
    this.#limit = limit
  }

  add(chunk: Buffer): void {
    this.#kept = Buffer.concat([this.#kept, chunk]).subarray(-this.#limit)
  }

  text(): string {
    return this.#kept.toString('utf8')
  }
}
