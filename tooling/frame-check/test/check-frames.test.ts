import type { OutFrame } from '@tutti/protocol'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkFrames } from '../src/check-frames.ts'
import { problemText } from '../src/problem.ts'
import { stories, type Story } from './support/stories.ts'

/** Each story is spoiled at every place. */
const FEWER = { numRuns: 30 }
const CRITICAL = ['task_started', 'task_updated', 'task_notification']

const check = ({ dialect, frames }: Story): string =>
  problemText(
    checkFrames(
      frames.map(frame => JSON.stringify(frame)),
      { dialect },
    ),
  )

const isCritical = (frame: OutFrame): boolean => 'subtype' in frame && CRITICAL.includes(frame.subtype)

const fresh = (frame: OutFrame, n: number): OutFrame =>
  'uuid' in frame ? { ...frame, uuid: `00000000-0000-4000-9000-${String(n).padStart(12, '0')}` } : frame

/** Every place at which something that must not happen is done to a story. */
function spoiled(story: Story, places: (frame: OutFrame) => boolean): number[] {
  return story.frames.flatMap((frame, at) => (places(frame) ? [at] : []))
}

describe('a recording that keeps every rule', () => {
  it('passes', () => {
    fc.assert(
      fc.property(stories(), story => {
        expect(check(story)).toBe('')
      }),
    )
  })

  it('passes up to any line, when it is known to be cut off', () => {
    fc.assert(
      fc.property(stories(), fc.nat(), ({ dialect, frames }, n) => {
        const lines = frames.slice(0, n % frames.length).map(frame => JSON.stringify(frame))
        expect(problemText(checkFrames(lines, { dialect, cut: true }))).toBe('')
      }),
    )
  })
})

describe('a recording in which one critical frame', () => {
  it('is missing is caught', () => {
    fc.assert(
      fc.property(stories(), story => {
        for (const at of spoiled(story, isCritical)) {
          const frames = story.frames.toSpliced(at, 1)
          expect(check({ ...story, frames }), JSON.stringify(story.frames[at])).not.toBe('')
        }
      }),
      FEWER,
    )
  })

  it('comes twice is caught, also with a uuid of its own', () => {
    fc.assert(
      fc.property(stories(), story => {
        for (const at of spoiled(story, isCritical)) {
          const frames = story.frames.toSpliced(at, 0, fresh(story.frames[at]!, at))
          expect(check({ ...story, frames }), JSON.stringify(story.frames[at])).not.toBe('')
        }
      }),
      FEWER,
    )
  })

  it('has changed places with another frame of its task is caught', () => {
    fc.assert(
      fc.property(stories(), fc.nat(), (story, pick) => {
        for (const at of spoiled(story, isCritical)) {
          const others = sameTask(story, at)
          const other = others[pick % others.length]!
          const frames = [...story.frames]
          ;[frames[at], frames[other]] = [frames[other]!, frames[at]!]
          expect(check({ ...story, frames }), `${at} and ${other}`).not.toBe('')
        }
      }),
      FEWER,
    )
  })
})

describe('a recording in which', () => {
  const turnFrame = (frame: OutFrame): boolean =>
    frame.type === 'result' || (frame.type === 'system' && frame.subtype === 'init')

  it('init or result is missing or doubled is caught', () => {
    fc.assert(
      fc.property(stories(), story => {
        for (const at of spoiled(story, turnFrame)) {
          const without = story.frames.toSpliced(at, 1)
          const doubled = story.frames.toSpliced(at, 0, fresh(story.frames[at]!, at))
          expect(check({ ...story, frames: without })).not.toBe('')
          expect(check({ ...story, frames: doubled })).not.toBe('')
        }
      }),
      FEWER,
    )
  })

  it('any frame is cut short or is no JSON is caught', () => {
    fc.assert(
      fc.property(stories(), fc.nat(), fc.nat(), ({ dialect, frames }, n, cut) => {
        const lines = frames.map(frame => JSON.stringify(frame))
        const line = lines[n % lines.length]!
        lines[n % lines.length] = line.slice(0, cut % line.length)
        expect(checkFrames(lines, { dialect })).not.toEqual([])
      }),
    )
  })

  it('any required field of a frame is missing is caught', () => {
    fc.assert(
      fc.property(stories(), fc.nat(), fc.constantFrom('uuid', 'session_id', 'type'), (story, n, field) => {
        const at = n % story.frames.length
        const { [field]: _, ...rest } = story.frames[at] as unknown as Record<string, unknown>
        const frames = story.frames.with(at, rest as unknown as OutFrame)
        expect(check({ ...story, frames })).not.toBe('')
      }),
    )
  })
})

it('survives lines of any kind', () => {
  fc.assert(fc.property(fc.array(fc.oneof(fc.string(), fc.json())), lines => void checkFrames(lines)))
})

function sameTask({ frames }: Story, at: number): number[] {
  const id = (frame: OutFrame): unknown => ('task_id' in frame ? frame.task_id : undefined)
  return frames.flatMap((frame, n) => (n !== at && id(frame) === id(frames[at]!) ? [n] : []))
}
