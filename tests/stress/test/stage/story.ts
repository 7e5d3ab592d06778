import type { Effects, JsonValue } from '@tutti/protocol'
import { createMemoryStore, type MemoryStore } from '@tutti/runtime/testing'
import { checkAttempt, type Verdict } from '../oracle/check-attempt.ts'
import { History } from '../oracle/history.ts'
import { edit, type Edit } from '../scripts/edits.ts'
import { dependsOnOrder, nodesOf, type Program } from '../scripts/program.ts'
import { render, type Telling } from '../scripts/render.ts'
import { playAttempt, type AttemptReport, type Interruption } from './attempt.ts'
import { createOutcomes } from './outcomes.ts'
import { randomConductor } from './random-conductor.ts'
import { retell } from './retold.ts'
import { hashOf } from './seeded-numbers.ts'

/** A run and everything that happens to it. */
export interface Story {
  program: Program
  seed: number
  concurrency: number
  effects: Effects[]
  /** Every dispatch gives another value. */
  fresh: boolean
  /** So many of a hundred agents end as soon as they are started, whatever else goes on. */
  eager: number
  /** Agents end, time passes and interruptions come amid other things too. */
  restless: boolean
  /** Attempts that are cut short or have failing agents. Three follow in which nothing happens. */
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
  /** The program as it was at the end. */
  program: Program
  store: MemoryStore
}

const UNDISTURBED: Chapter = { interruption: undefined, failing: 0, edits: [] }

/** Plays a story to its end and two attempts more, each held against the rule. */
export async function tell(story: Story): Promise<Told> {
  const store = createMemoryStore()
  const history = new History()
  const told: Told = { problems: [], reports: [], verdicts: [], program: story.program, store }
  const chapters = [...story.chapters, UNDISTURBED, UNDISTURBED, UNDISTURBED]
  for (const [i, { interruption, edits, failing }] of chapters.entries()) {
    told.program = edits.reduce(edit, told.program)
    const quiet = interruption === undefined && (i > story.chapters.length || (story.seed + i) % 3 === 0)
    const scripts = render(told.program, quiet ? quietly(told.program) : 'logged')
    const runId = told.reports[0]?.runId
    const outcome = createOutcomes({ ...story, turn: i, failing })
    const report = await playAttempt({
      seed: story.seed + i,
      concurrency: story.concurrency,
      interruption,
      restless: story.restless,
      conduct: randomConductor(story.seed + i, outcome),
      atOnce: agent => (isEager(story, agent.call.prompt) ? outcome(agent) : undefined),
      scripts,
      store,
      ...(runId !== undefined && { runId }),
    })
    const verdict = checkAttempt(report, history)
    history.absorb(report.lines, verdict.taken)
    told.reports.push(report)
    told.verdicts.push(verdict)
    told.problems.push(...verdict.problems.map(problem => `attempt ${i + 1}: ${problem}`))
  }
  told.problems.push(
    ...compareLast(told),
    ...(await compareRetold(told)),
    ...(await comparePlain(told, story)),
  )
  return told
}

function isEager({ seed, eager }: Story, prompt: string): boolean {
  return hashOf(`${seed} eager ${prompt}`) % 100 < eager
}

/** What a child tells cannot be put in order with the value of its parent. */
function quietly({ main }: Program): Telling {
  return nodesOf(main).some(node => node.kind === 'child') ? 'logged' : 'returned'
}

/** Once everything has a result, nothing is dispatched any more and the bytes stay the same. */
function compareLast({ reports, verdicts }: Told): string[] {
  const [first, second, third] = reports.slice(-3) as [AttemptReport, AttemptReport, AttemptReport]
  const problems: string[] = []
  const settled = first.lines.every(line => line.type !== 'failed')
  const again = verdicts.at(-2)?.live ?? 0
  if (settled && again === 0 && valueOf(first) !== valueOf(second)) {
    problems.push(`an unchanged replay gave ${valueOf(second)} after ${valueOf(first)}`)
  }
  if ((verdicts.at(-1)?.live ?? 0) === 0 && again === 0 && valueOf(second) !== valueOf(third)) {
    problems.push(`a second replay gave ${valueOf(third)} after ${valueOf(second)}`)
  }
  return problems
}

/** The last attempt is like a run of its own that nothing ever happened to. */
async function compareRetold({ reports, verdicts, program }: Told): Promise<string[]> {
  const report = reports.at(-1)!
  const retold = await retell({ report, taken: verdicts.at(-1)!.taken, scripts: render(program) })
  const problems: string[] = []
  if (valueOf(retold) !== valueOf(report)) {
    problems.push(`the last attempt gave ${valueOf(report)}, an uninterrupted run ${valueOf(retold)}`)
  }
  const [was, is] = [report, retold].map(one => JSON.stringify(one.trace))
  if (was !== is) problems.push(...firstDifference(report, retold))
  return problems
}

/** Where neither order nor edits matter, the value is that of any run, whatever finishes first in it. */
async function comparePlain({ reports, verdicts, program }: Told, story: Story): Promise<string[]> {
  const report = reports.at(-1)!
  const edited = story.chapters.some(({ edits }) => edits.length > 0)
  const full = (verdicts.at(-1)?.issued ?? 0) >= report.limit
  if (edited || full || story.fresh || dependsOnOrder(program)) return []
  const outcome = createOutcomes({ ...story, turn: 0, failing: 0 })
  const plain = await playAttempt({
    seed: story.seed + 100,
    concurrency: 3,
    interruption: undefined,
    conduct: randomConductor(story.seed + 100, outcome),
    scripts: render(program),
    store: createMemoryStore(),
  })
  const [was, is] = [report, plain].map(({ end }) =>
    JSON.stringify((end?.value as { value?: JsonValue })?.value),
  )
  return was === is ? [] : [`the last attempt gave ${was}, a run of its own ${is}`]
}

function firstDifference(report: AttemptReport, retold: AttemptReport): string[] {
  const at = report.trace.findIndex((event, i) => JSON.stringify(event) !== JSON.stringify(retold.trace[i]))
  const [was, is] = [report, retold].map(one => JSON.stringify(one.trace[at < 0 ? one.trace.length - 1 : at]))
  return [`event ${at} of the last attempt is ${was}, of an uninterrupted run ${is}`]
}

/** What a script came to, as text: its value, or what it threw. */
export function valueOf({ end }: AttemptReport): string {
  const value = (end?.value ?? end?.partialResult) as Record<string, JsonValue> | undefined
  const thrown = (value === undefined ? (end?.error?.message ?? '') : value['thrown']) as string | undefined
  if (thrown === undefined) return JSON.stringify({ value: value?.['value'], seen: value?.['seen'] })
  return JSON.stringify({ thrown: thrown.replace(/ \([\w.-]+:\d+:\d+\)$/, '') })
}
