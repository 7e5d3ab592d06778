import { afterAll, describe, expect, it } from 'vitest'
import { report, rounds, seed } from '../bounds.ts'
import { seededNumbers } from '../stage/seeded-numbers.ts'
import { startTutti, tutti, type Finished } from './command.ts'
import { disordered, hasEnded, lastAttempt, repeated, results, starts, unfinished } from './journal-facts.ts'
import { duelPoint, killPoint, nameOf, type Course, type KillPoint } from './kill-point.ts'
import { mixedProject } from './mixed-script.ts'
import { processesLeft } from './processes.ts'
import { Project } from './project.ts'

const ROUNDS = rounds(2, 64)
const KILLS = rounds(3, 4)
const LAYOUTS = ['session', 'claude-code'] as const
const flags = ['--backend', 'scripted:agents.json', '--json', '--concurrency', '4', '--allow-shell']
const RESUME = ['resume', ...flags]

const counts = { kills: 0, midway: 0, duels: 0, refused: 0 }
const places = new Map<string, number>()
afterAll(() => {
  const shown = [...places].map(([place, kills]) => `${place} ${kills}`).sort()
  report(
    'crash',
    `${counts.kills} kills, ${counts.midway} of them amid a run, in ${ROUNDS} runs (${shown.join(', ')}); ${counts.duels} duels for the lease, ${counts.refused} refusals; seed ${seed}`,
  )
})

interface Known extends Course {
  /** The value of a run without kills, as it is printed. */
  expected: string
}

describe.each(LAYOUTS)(`a process killed at random points, layout %s (seed ${seed})`, layout => {
  it.each(Array.from({ length: ROUNDS / LAYOUTS.length }, (_, round) => round + 1))(
    'loses no durable result, round %i',
    async round => {
      const numbers = seededNumbers(seed + round * LAYOUTS.length + LAYOUTS.indexOf(layout))
      const files = mixedProject(numbers)
      const run = ['run', 'main.js', ...flags, '--settings', JSON.stringify({ tutti: { layout } })]
      const known = await uninterrupted(files, run)
      using project = Project.create(files)
      let lost = 0
      for (let kill = 0; kill < KILLS; kill++) {
        const begun = project.runId !== undefined
        await killed(project, begun ? RESUME : run, killPoint(numbers, known, begun))
        lost += unfinished(project.journal())
        if (project.runId === undefined) continue
        if (kill === 0) await checkShown(project)
        await checkResume(project, known)
        if (numbers.below(3) > 0) continue
        await duel(project, known, duelPoint(numbers, known))
        lost += unfinished(project.journal())
        await checkResume(project, known)
      }
      const end = await tutti(project, project.runId === undefined ? run : RESUME)
      expect(end.exit, end.stderr).toBe(0)
      expect(end.stdout).toBe(known.expected)
      checkFiles(project)
      expect(starts(project.journal())).toBeLessThanOrEqual(known.calls + lost)
      expect(await tutti(project, RESUME)).toMatchObject({ exit: 0, stdout: known.expected })
      const lines = project.journal()
      expect(starts(lines.filter(line => line.attempt === lastAttempt(lines)))).toBe(0)
      expect(await processesLeft(project.path)).toEqual([])
    },
    300_000,
  )
})

async function uninterrupted(files: Record<string, string>, run: string[]): Promise<Known> {
  using project = Project.create(files)
  const startedAt = performance.now()
  const { exit, stdout, stderr } = await tutti(project, run)
  expect(exit, stderr).toBe(0)
  checkFiles(project)
  return { expected: stdout, calls: starts(project.journal()), ms: performance.now() - startedAt }
}

/** Runs the command and kills it at that point, unless it ends before. */
async function killed(project: Project, command: string[], point: KillPoint): Promise<Finished> {
  const running = startTutti(project, command, 'die' in point ? point.die : undefined)
  const end = (): void => void running.child.kill('SIGKILL')
  const timer =
    'afterMs' in point
      ? setTimeout(end, point.afterMs)
      : setInterval(() => 'results' in point && results(project.journal()) >= point.results && end(), 2)
  const finished = await running.finished
  clearTimeout(timer)
  if (finished.exit !== 'SIGKILL') return finished
  counts.kills++
  places.set(nameOf(point), (places.get(nameOf(point)) ?? 0) + 1)
  const lines = project.journal()
  if (project.runId !== undefined && !hasEnded(lines) && starts(lines) > 0) counts.midway++
  return finished
}

/** Two processes want the run at once, and one of them is killed at that point, unless it was refused before. */
async function duel(project: Project, { expected }: Known, point: KillPoint): Promise<void> {
  counts.duels++
  const ends = await Promise.all([killed(project, RESUME, point), tutti(project, RESUME)])
  for (const { exit, stdout, stderr } of ends) {
    if (exit === 'SIGKILL') continue
    if (exit === 0) {
      expect(stdout).toBe(expected)
      continue
    }
    counts.refused++
    expect(stderr).toMatch(/"code":"(run-is-owned|lease-lost)"/)
  }
}

/** A run without an end shows as interrupted, whoever looks. */
async function checkShown(project: Project): Promise<void> {
  const { stdout } = await tutti(project, ['ls', '--json'])
  const [run] = JSON.parse(stdout) as { status: string }[]
  if (!hasEnded(project.journal())) expect(run).toMatchObject({ status: 'interrupted' })
  else expect(run?.status).toMatch(/completed|interrupted/)
}

/**
 * Nothing of the dead process is left at work; and what it left on disk, resumed by a fresh process, comes to the
 * same value, pays for nothing that had finished, and is in order.
 */
async function checkResume(project: Project, { expected }: Known): Promise<void> {
  expect(await processesLeft(project.path)).toEqual([])
  using copy = project.copy()
  const { exit, stdout, stderr } = await tutti(copy, RESUME)
  expect(exit, stderr).toBe(0)
  expect(stdout).toBe(expected)
  checkFiles(copy)
}

function checkFiles(project: Project): void {
  const lines = project.journal()
  expect(repeated(lines)).toEqual([])
  expect(disordered(lines)).toEqual([])
  expect(project.brokenResults()).toEqual([])
  expect(project.leftovers()).toEqual([])
}
