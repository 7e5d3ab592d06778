/** Randomness for ids and back-off jitter; never visible to scripts. */
export interface Random {
  /** `length` random bytes. */
  bytes(length: number): Uint8Array
  /** A number in [0, 1). */
  next(): number
}
