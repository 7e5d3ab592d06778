import type { JournalLine } from '@tutti/protocol'
import { afterAll, describe, expect, it } from 'vitest'
import { report, rounds, seed } from '../bounds.ts'
import { seededNumbers, type SeededNumbers } from '../stage/seeded-numbers.ts'
import { startTutti, tutti } from './command.ts'
import { mixedProject } from './mixed-script.ts'
import { Project } from './project.ts'

const ROUNDS = rounds(3, 67)
const KILLS = 3
const flags = ['--backend', 'scripted:agents.json', '--json', '--concurrency', '4']

let kills = 0
let midway = 0
afterAll(() => report('crash', `${kills} kills, ${midway} of them amid a run, ${ROUNDS} runs, seed ${seed}`))

describe(`a process killed at random points (seed ${seed})`, () => {
  it.each(Array.from({ length: ROUNDS }, (_, round) => round + 1))(
    'loses no durable result, round %i',
    async round => {
      const numbers = seededNumbers(seed + round)
      const files = mixedProject(numbers)
      const { expected, calls, ms } = await uninterrupted(files)
      using project = new Project(files)
      let command = ['run', 'main.js', ...flags]
      let lost = 0
      for (let kill = 0; kill < KILLS; kill++) {
        await killed(project, command, killPoint(numbers, { calls, ms }))
        lost += unfinished(project)
        if (!project.hasRun) continue
        await checkShown(project)
        command = ['resume', ...flags]
      }
      const end = await tutti(project, command)
      expect(end.exit, end.stderr).toBe(0)
      expect(end.stdout).toBe(expected)
      expect(repeated(project.journal())).toEqual([])
      expect(project.brokenResults()).toEqual([])
      expect(starts(project.journal())).toBeLessThanOrEqual(calls + lost)
      expect(await tutti(project, ['resume', ...flags])).toMatchObject({ exit: 0, stdout: expected })
      expect(starts(project.journal().filter(line => line.attempt === lastAttempt(project)))).toBe(0)
    },
    120_000,
  )
})

async function uninterrupted(
  files: Record<string, string>,
): Promise<{ expected: string; calls: number; ms: number }> {
  using project = new Project(files)
  const startedAt = performance.now()
  const { exit, stdout, stderr } = await tutti(project, ['run', 'main.js', ...flags])
  expect(exit, stderr).toBe(0)
  return { expected: stdout, calls: starts(project.journal()), ms: performance.now() - startedAt }
}

type KillPoint = { afterMs: number } | { results: number }

/** Somewhere in the life of the process, or at one of its results. */
function killPoint(numbers: SeededNumbers, { calls, ms }: { calls: number; ms: number }): KillPoint {
  if (numbers.below(3) === 0) return { afterMs: numbers.below(Math.ceil(ms)) }
  return { results: 1 + numbers.below(calls) }
}

/** Runs the command and kills it at that point, unless it ends before. */
async function killed(project: Project, command: string[], point: KillPoint): Promise<void> {
  const running = startTutti(project, command)
  const end = (): void => void running.child.kill('SIGKILL')
  const timer =
    'afterMs' in point
      ? setTimeout(end, point.afterMs)
      : setInterval(() => results(project.journal()) >= point.results && end(), 2)
  const { exit } = await running.finished
  clearTimeout(timer)
  kills++
  const amid = project.hasRun && !project.journal().some(line => line.type === 'run_end')
  if (exit === 'SIGKILL' && amid && starts(project.journal()) > 0) midway++
}

/** A run without an end shows as interrupted, whoever looks. */
async function checkShown(project: Project): Promise<void> {
  const { stdout } = await tutti(project, ['ls', '--json'])
  const [run] = JSON.parse(stdout) as { status: string }[]
  const ended = project
    .journal()
    .some(line => line.type === 'run_end' && line.attempt === lastAttempt(project))
  if (!ended) expect(run).toMatchObject({ status: 'interrupted' })
  else expect(run?.status).toMatch(/completed|interrupted/)
}

/** Agents of the last attempt that were started and have no end in the journal. */
function unfinished(project: Project): number {
  const lines = project.journal().filter(line => line.attempt === lastAttempt(project))
  return starts(lines) - lines.filter(line => line.type === 'result' || line.type === 'failed').length
}

function lastAttempt(project: Project): number {
  return project.journal().reduce((last, line) => Math.max(last, line.attempt), 0)
}

/** Calls that were started although an earlier line has their result. */
function repeated(lines: JournalLine[]): string[] {
  const finished = new Set<string>()
  return lines.flatMap(line => {
    if (line.type === 'result') finished.add(`${line.key}#${line.n}`)
    return line.type === 'started' && finished.has(`${line.key}#${line.n}`)
      ? [`${line.label} at ${line.seq}`]
      : []
  })
}

function starts(lines: JournalLine[]): number {
  return lines.filter(line => line.type === 'started').length
}

function results(lines: JournalLine[]): number {
  return lines.filter(line => line.type === 'result').length
}
