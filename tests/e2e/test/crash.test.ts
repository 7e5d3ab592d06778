import { describe, expect, it } from 'vitest'
import { startTutti, tutti } from './installed/command.ts'
import { ProjectFolder } from './installed/project-folder.ts'
import { seededNumbers } from './installed/seeded-numbers.ts'

const AGENTS = 30
const ROUNDS = Number(process.env['TUTTI_E2E_CRASHES'] ?? 10)
const seed = Number(process.env['TUTTI_E2E_SEED'] ?? 20261130)
const next = seededNumbers(seed)

const script = `export const meta = { name: 'crash', description: 'Is killed' }
const lanes = await pipeline(Array.from({ length: ${AGENTS / 3} }, (_, i) => i),
  (_, i) => agent('first ' + i, { label: 'a' + i }),
  (previous, i) => agent('second ' + previous, { label: 'b' + i }),
  (previous, i) => agent('third ' + previous, { label: 'c' + i }))
return lanes
`
const expected = Array.from({ length: AGENTS / 3 }, (_, i) => `third second first ${i}`)
const flags = ['--backend', 'scripted:agents.json', '--json', '--concurrency', '4']

describe(`a run killed at random points (seed ${seed})`, () => {
  it.each(Array.from({ length: ROUNDS }, (_, round) => round + 1))(
    'loses no durable result and repeats no finished call, round %i',
    async () => {
      const kills = [delay(), delay()]
      using project = new ProjectFolder({
        'main.js': script,
        'agents.json': JSON.stringify({ '*': { echo: true, afterMs: 5 + Math.floor(next() * 40) } }),
      })
      let command = ['run', 'main.js', ...flags]
      for (const ms of kills) {
        const running = startTutti(command, { project })
        const timer = setTimeout(() => running.child.kill('SIGKILL'), ms)
        await running.finished
        clearTimeout(timer)
        if (project.hasRun()) command = ['resume', ...flags]
      }
      const end = await tutti(command, { project })
      expect(end.exit, end.stderr).toBe(0)
      expect(JSON.parse(end.stdout), `kills after ${kills.join(' and ')} ms`).toEqual(expected)
      expect(repeatedCalls(project)).toEqual([])
    },
    60_000,
  )
})

/** Somewhere between the start of the process and the end of its work. */
function delay(): number {
  return Math.floor(next() * 900)
}

/** Calls that were started although an earlier line has their result. */
function repeatedCalls(project: ProjectFolder): unknown[] {
  const finished = new Set<string>()
  return project.journal().filter(line => {
    const call = `${String(line['key'])} ${String(line['n'])}`
    if (line['type'] === 'result') finished.add(call)
    return line['type'] === 'started' && finished.has(call)
  })
}
