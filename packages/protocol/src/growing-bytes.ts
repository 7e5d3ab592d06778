/** Kept for the next use; a larger buffer is given back. */
const KEPT_BYTES = 64 * 1024

/** Collects byte pieces at amortised linear cost, whatever their size. */
export class GrowingBytes {
  #buffer: Uint8Array = new Uint8Array(0)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Copies the piece. */
  append(piece: Uint8Array): void {
    const needed = this.#length + piece.length
    if (needed > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(needed, this.#buffer.length * 2))
      larger.set(this.#buffer.subarray(0, this.#length))
      this.#buffer = larger
    }
    this.#buffer.set(piece, this.#length)
    this.#length = needed
  }

  /** Everything so far, valid until the next `append`; empties the collection. */
  take(): Uint8Array {
    const taken = this.#buffer.subarray(0, this.#length)
    this.clear()
    return taken
  }

  clear(): void {
    this.#length = 0
    if (this.#buffer.length > KEPT_BYTES) this.#buffer = new Uint8Array(0)
  }
}
