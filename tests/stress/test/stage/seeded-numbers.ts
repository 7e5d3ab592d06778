/** Numbers that are the same for the same seed. */
export interface SeededNumbers {
  /** In [0, 1). */
  next(): number
  /** A whole number below `count`. */
  below(count: number): number
  pick<T>(list: readonly T[]): T
}

export function seededNumbers(seed: number): SeededNumbers {
  let state = seed >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (count: number): number => Math.floor(next() * count)
  return { next, below, pick: list => list[below(list.length)]! }
}

/** A number in [0, 2^32) for a text: the same text, the same number. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
