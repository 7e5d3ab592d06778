import { randomBytes } from 'node:crypto'
import type { Random } from '../ports/random.ts'

/** The machine's source of randomness. */
export function systemRandom(): Random {
  return {
    bytes: length => randomBytes(length),
    next: () => Math.random(),
  }
}
