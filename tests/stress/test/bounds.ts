import { appendFileSync } from 'node:fs'

/** Whether the proofs run in full, as `pnpm stress` does. */
export const full: boolean = process.env['TUTTI_STRESS'] === '1'

/** A number of rounds: bounded by default. */
export function rounds(bounded: number, inFull: number): number {
  return full ? inFull : bounded
}

/** Of everything random here; printed, and taken from TUTTI_STRESS_SEED to repeat a run. */
export const seed: number = Number(process.env['TUTTI_STRESS_SEED'] ?? Math.floor(Math.random() * 2 ** 31))

/** Tells what a proof went through. */
export function report(proof: string, counts: string): void {
  const line = `${proof}: ${counts}`
  console.log(line)
  const file = process.env['TUTTI_STRESS_REPORT']
  if (file !== undefined) appendFileSync(file, `${line}\n`)
}
