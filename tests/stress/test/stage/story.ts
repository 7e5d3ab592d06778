import type { Effects } from '@tutti/protocol'
import { createMemoryStore, type MemoryStore } from '@tutti/runtime/testing'
import { checkAttempt, type Verdict } from '../oracle/check-attempt.ts'
import { History } from '../oracle/history.ts'
import { edit, type Edit } from '../scripts/edits.ts'
import type { Program } from '../scripts/program.ts'
import { render, type Rendered } from '../scripts/render.ts'
import { playAttempt, type AttemptReport, type Interruption } from './attempt.ts'
import { createOutcomes } from './outcomes.ts'

/** A run and everything that happens to it. */
export interface Story {
  program: Program
  seed: number
  concurrency: number
  effects: Effects[]
  /** Every dispatch gives another value. */
  fresh: boolean
  /** Attempts that are cut short or have failing agents; a last one in which all goes well follows. */
  chapters: Chapter[]
}

export interface Chapter {
  interruption: Interruption | undefined
  failing: number
  /** Made before this attempt. */
  edits: Edit[]
}

export interface Told {
  problems: string[]
  reports: AttemptReport[]
  verdicts: Verdict[]
  /** The scripts as they were at the end. */
  scripts: Rendered
  store: MemoryStore
}

/** Plays a story to its end and one attempt more, each held against the rule. */
export async function tell(story: Story): Promise<Told> {
  const store = createMemoryStore()
  const history = new History()
  const told: Told = { problems: [], reports: [], verdicts: [], scripts: render(story.program), store }
  let program = story.program
  let runId: string | undefined
  const well: Chapter = { interruption: undefined, failing: 0, edits: [] }
  const chapters = [...story.chapters, well, well, well]
  const outcomes = chapters.map(({ failing }) => createOutcomes({ ...story, failing }))
  for (const [i, { interruption, edits }] of chapters.entries()) {
    program = edits.reduce(edit, program)
    told.scripts = render(program)
    const report = await playAttempt({
      seed: story.seed + i,
      concurrency: story.concurrency,
      interruption,
      outcome: outcomes[i]!,
      scripts: told.scripts,
      store,
      ...(runId !== undefined && { runId }),
    })
    runId = report.runId
    const verdict = checkAttempt(report, history)
    history.absorb(report.lines, verdict.taken)
    told.reports.push(report)
    told.verdicts.push(verdict)
    told.problems.push(...verdict.problems.map(problem => `attempt ${i + 1}: ${problem}`))
  }
  return told
}
