import { describe, expect, it } from 'vitest'
import type { CallNode, Node } from '../scripts/program.ts'
import { tell, valueOf, type Chapter, type Story } from '../stage/story.ts'

/** Stories that once went wrong, as small as they get. */
const STORIES: [what: string, story: Story][] = [
  [
    'an attempt that is cut short at its start leaves the order of the one before intact, timers included',
    story(
      all(seq(call('a'), call('b'), call('c')), seq({ kind: 'sleep', ms: 1 }, call('z', { counting: true }))),
      [chapter(), chapter(), chapter({ interruption: { kind: 'kill', after: 2 } })],
    ),
  ],
  [
    'records that change hands among identical calls are not lost when the attempt is cut short amid it',
    story({ kind: 'parallel', parts: ['L1', 'L2', 'L3'].map(label => call('t', { twin: true, label })) }, [
      chapter(),
      chapter({ edits: [{ what: 'swap', at: 0 }], interruption: { kind: 'kill', after: 2 } }),
    ]),
  ],
  [
    'a twin that ran again before the taking of its record was written down does not get it back',
    story(
      { kind: 'parallel', parts: Array.from({ length: 5 }, () => call('t', { twin: true, label: 'L' })) },
      [
        chapter({ failing: 50 }),
        chapter({ failing: 50 }),
        chapter({ interruption: { kind: 'kill', after: 4 } }),
      ],
    ),
  ],
  [
    'a record with effects outdates older ones, as the fresh outcome did that it was',
    {
      ...story(seq(call('x'), call('y')), [
        chapter(),
        chapter({ edits: [{ what: 'prompt', at: 0 }], interruption: { kind: 'kill', after: 5 } }),
      ]),
      effects: ['yes'],
    },
  ],
  [
    'work in a worktree outdates what has effects, and not what has none outside of its own',
    {
      ...story(seq(call('x'), call('y'), call('z')), [
        chapter(),
        chapter({ edits: [{ what: 'prompt', at: 0 }] }),
      ]),
      // With this seed x and y are isolated, and z has effects.
      seed: 28,
      effects: ['isolated', 'yes'],
    },
  ],
  [
    'identical calls find the record of their label when its place has gone to another one',
    story({ kind: 'parallel', parts: ['L1', 'L2', 'L3'].map(label => call('t', { twin: true, label })) }, [
      chapter(),
      chapter({ edits: [{ what: 'remove', at: 0 }] }),
    ]),
  ],
  [
    'nothing is dispatched once a stop was asked for',
    story({ kind: 'parallel', parts: Array.from({ length: 9 }, (_, i) => call(`p${i}`)) }, [
      chapter({ interruption: { kind: 'stop', after: 3 } }),
    ]),
  ],
  [
    'what comes in for a child that has ended is written down and harms nobody',
    {
      ...story(seq({ kind: 'child', child: 0 }, call('after')), [chapter({ failing: 15 }), chapter()]),
      program: {
        main: seq({ kind: 'child', child: 0 }, call('after'), call('last')),
        children: [{ kind: 'race', parts: [call('quick'), call('slow'), call('slower')] }],
      },
    },
  ],
]

describe('a story that once went wrong', () => {
  it.each(STORIES)(
    '%s',
    async (_, known) => {
      const { problems, reports } = await tell(known)
      expect(problems).toEqual([])
      const [before, last] = reports.slice(-2)
      expect(valueOf(last!)).toBe(valueOf(before!))
    },
    60_000,
  )
})

function story(main: Node, chapters: Chapter[]): Story {
  const common = {
    seed: 5,
    concurrency: 4,
    effects: ['none' as const],
    fresh: true,
    eager: 0,
    restless: false,
  }
  return { program: { main, children: [] }, chapters, ...common }
}

function chapter(more: Partial<Chapter> = {}): Chapter {
  return { interruption: undefined, failing: 0, edits: [], ...more }
}

function seq(...parts: Node[]): Node {
  return { kind: 'seq', parts }
}

function all(...parts: Node[]): Node {
  return { kind: 'all', parts }
}

function call(prompt: string, more: Partial<CallNode> = {}): CallNode {
  const flags = { twin: false, counting: false, settled: false, schema: false, refused: false }
  return { kind: 'call', prompt, label: prompt, cache: 'auto', ...flags, ...more }
}
