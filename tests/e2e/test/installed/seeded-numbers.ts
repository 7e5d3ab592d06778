import { createHash } from 'node:crypto'

/** Numbers in [0, 1) that are the same for the same seed. */
export function seededNumbers(seed: number): () => number {
  let turn = 0
  return () => {
    turn += 1
    return createHash('sha256').update(`${seed}:${turn}`).digest().readUInt32BE() / 2 ** 32
  }
}
