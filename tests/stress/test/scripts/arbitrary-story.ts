import * as fc from 'fast-check'
import type { Interruption } from '../stage/attempt.ts'
import type { Chapter, Story } from '../stage/story.ts'
import { arbitraryProgram } from './arbitrary-program.ts'
import { arbitraryEdit } from './edits.ts'

export interface StoryOptions {
  /** Scripts are edited between attempts. */
  edits: boolean
}

export function arbitraryStory({ edits }: StoryOptions): fc.Arbitrary<Story> {
  return fc.record({
    program: arbitraryProgram(),
    seed: fc.nat({ max: 2 ** 30 }),
    concurrency: fc.constantFrom(1, 2, 4, 16),
    effects: fc.constantFrom(
      ['none'],
      ['yes'],
      ['none', 'yes'],
      ['none', 'isolated'],
      ['isolated', 'yes'],
      ['none', 'isolated', 'yes', 'unknown'],
    ),
    fresh: fc.boolean(),
    eager: fc.constantFrom(0, 0, 30, 100),
    restless: fc.constantFrom(false, false, true),
    chapters: fc.array(chapter(edits), { minLength: 1, maxLength: 4 }),
  })
}

function chapter(edits: boolean): fc.Arbitrary<Chapter> {
  return fc.record({
    interruption: fc.option(interruption(), { nil: undefined, freq: 4 }),
    failing: fc.constantFrom(0, 0, 15, 50),
    edits: edits ? fc.array(arbitraryEdit(), { maxLength: 2 }) : fc.constant([]),
  })
}

function interruption(): fc.Arbitrary<Interruption> {
  return fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constantFrom('kill', 'kill', 'kill', 'stop', 'breaker', 'seize'),
        after: fc.oneof(
          fc.integer({ min: 1, max: 6 }),
          fc.integer({ min: 1, max: 25 }),
          fc.integer({ min: 1, max: 80 }),
        ),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('limit' as const), agents: fc.integer({ min: 1, max: 20 }) }),
    },
  )
}
