import * as fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { report, rounds, seed } from '../bounds.ts'
import { arbitraryStory } from '../scripts/arbitrary-story.ts'
import { tell, type Story, type Told } from '../stage/story.ts'

const counts = { stories: 0, attempts: 0, interrupted: 0, calls: 0, cached: 0, live: 0, barred: 0 }
afterAll(() => {
  const { stories, attempts, interrupted, calls, cached, live, barred } = counts
  report(
    'resume',
    `${stories} stories, ${attempts} attempts (${interrupted} cut short), ${calls} calls, ${cached} from records, ${live} sent by the rule (${barred} of them had a record that it bars), seed ${seed}`,
  )
})

describe(`random scripts that random things happen to (seed ${seed})`, () => {
  it(
    'are resumed by the rule, to what a run without interruption gives',
    () => check(false, rounds(12, 150)),
    3_600_000,
  )

  it(
    'are resumed by the rule also when they are edited in between',
    () => check(true, rounds(12, 150)),
    3_600_000,
  )
})

async function check(edits: boolean, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.noBias(arbitraryStory({ edits })), async story => {
      const told = await tell(story)
      count(told)
      expect(told.problems, JSON.stringify(story)).toEqual([])
    }),
    {
      seed,
      numRuns,
      interruptAfterTimeLimit: rounds(10_000, 900_000),
      markInterruptAsFailure: false,
      reporter,
    },
  )
}

function count({ reports, verdicts }: Told): void {
  counts.stories++
  counts.attempts += reports.length
  counts.interrupted += reports.filter(({ end }) => end?.status !== 'completed').length
  for (const { issued, cached, live, barred } of verdicts) {
    counts.calls += issued
    counts.cached += cached
    counts.live += live
    counts.barred += barred
  }
}

/** The story as JSON, for the fixtures of `known-stories.test.ts`. */
function reporter({ failed, counterexample, errorInstance, seed: used }: fc.RunDetails<[Story]>): void {
  if (!failed) return
  const story = JSON.stringify(counterexample?.[0])
  throw new Error(`seed ${used}, story ${story}`, { cause: errorInstance })
}
