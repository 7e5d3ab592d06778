/**
 * When the next snapshot of a task may leave: at most one per 100 ms, and on average 512 KiB a second after
 * the first MiB.
 */

const INTERVAL_MS = 100
const BURST_BYTES = 1024 * 1024
const BYTES_PER_MS = (512 * 1024) / 1000

export interface SnapshotPace {
  /** Milliseconds to wait before the next snapshot; 0: it may leave now. */
  waitMs(now: number): number
  /** A snapshot was handed over. */
  handedOver(now: number): void
  /** What the last snapshot weighed, as soon as it was written out. */
  paid(now: number, bytes: number): void
}

export function createSnapshotPace(): SnapshotPace {
  let lastAt = Number.NEGATIVE_INFINITY
  let lastBytes = 0
  let allowance = BURST_BYTES
  let refilledAt: number | undefined

  const refill = (now: number): void => {
    const elapsed = Math.max(0, now - (refilledAt ?? now))
    allowance = Math.min(BURST_BYTES, allowance + elapsed * BYTES_PER_MS)
    refilledAt = now
  }

  return {
    waitMs(now) {
      refill(now)
      // The next snapshot is about as large as the last; one larger than the whole burst needs all of it.
      const missing = Math.min(lastBytes, BURST_BYTES) - allowance
      const forBytes = missing > 0 ? Math.ceil(missing / BYTES_PER_MS) : 0
      return Math.max(0, Math.ceil(lastAt + INTERVAL_MS - now), forBytes)
    },
    handedOver(now) {
      lastAt = now
    },
    paid(now, bytes) {
      refill(now)
      allowance -= bytes
      lastBytes = bytes
    },
  }
}
