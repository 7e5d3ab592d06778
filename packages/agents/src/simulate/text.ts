import type { Seeded } from './seed.ts'
import type { Subject } from './subject.ts'

const FINDINGS = [
  'nothing here needs to change',
  'two places deserve a closer look',
  'the usual case is covered, one edge case is not',
  'the parts fit together as described',
  'one assumption is not backed by a check',
]

/** A short answer that says it is made up. */
export function answerText({ topic, words }: Subject, seeded: Seeded): string {
  const [first, second] = [seeded.pick('first', words), seeded.pick('second', words)]
  const places = seeded.integer('places', 2, 9)
  const about = topic === '' ? '' : ` to "${topic}"`
  return `Simulated answer${about}: looked at ${first} and ${second} in ${places} places; ${seeded.pick('finding', FINDINGS)}.`
}
