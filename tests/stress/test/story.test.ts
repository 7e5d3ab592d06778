import fc from 'fast-check'
import { expect, it } from 'vitest'
import { seed } from './bounds.ts'
import { arbitraryStory } from './scripts/arbitrary-story.ts'
import { render } from './scripts/render.ts'
import { tell } from './stage/story.ts'

it('quick', async () => {
  let attempts = 0,
    calls = 0,
    n = 0,
    live = 0
  const t = Date.now()
  await fc
    .assert(
      fc.asyncProperty(arbitraryStory({ edits: process.env.EDITS === '1' }), async story => {
        const told = await tell(story)
        n++
        attempts += told.reports.length
        calls += told.verdicts.reduce((s, v) => s + v.issued, 0)
        live += told.verdicts.reduce((s, v) => s + v.live, 0)
        if (told.problems.length) {
          console.log(JSON.stringify(story))
          console.log(render(told.program).main.split("tell('c").at(-1))
          console.log(told.problems.slice(0, 8).join('\n'))
        }
        expect(told.problems.length).toBe(0)
      }),
      { seed, numRuns: Number(process.env.RUNS ?? 20), endOnFailure: process.env.SHRINK !== '1' },
    )
    .finally(() => console.log({ seed, n, attempts, calls, live, ms: Date.now() - t }))
}, 600_000)
