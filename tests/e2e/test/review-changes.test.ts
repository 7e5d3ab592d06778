import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startTutti, tutti } from './installed/command.ts'
import { repository } from './installed/packages.ts'
import { ProjectFolder } from './installed/project-folder.ts'
import { until } from './installed/until.ts'

const script = readFileSync(join(repository, 'examples/review-changes.js'), 'utf8')
const run = ['run', 'review-changes.js', '--backend', 'simulate', '--json']
const resume = ['resume', '--backend', 'simulate', '--json']

describe('examples/review-changes.js', () => {
  it('gives the same result twice, and resumes to the same bytes without a dispatch', async () => {
    using project = new ProjectFolder({ 'review-changes.js': script })
    const first = await tutti(run, { project })
    expect(first.exit).toBe(0)
    expect(Object.keys(JSON.parse(first.stdout) as object)).toEqual(['confirmed'])
    const second = await tutti(run, { project })
    expect(second.stdout).toBe(first.stdout)
    const again = await tutti(resume, { project })
    expect(again.stdout).toBe(second.stdout)
    expect(again.stderr).toContain('agents=0 tokens=0')
  })

  it('resumes to the same bytes after a kill in the middle', async () => {
    using whole = new ProjectFolder({ 'review-changes.js': script })
    const expected = await tutti(run, { project: whole })
    using project = new ProjectFolder({ 'review-changes.js': script })
    const killed = startTutti(run, { project })
    await until('two results', () => results(project).length >= 2)
    killed.child.kill('SIGKILL')
    expect((await killed.finished).exit).toBe('SIGKILL')
    const before = results(project)
    const resumed = await tutti(resume, { project })
    expect(resumed.stdout).toBe(expected.stdout)
    const started = project.journal().filter(line => line['type'] === 'started' && line['attempt'] === 2)
    expect(started.length).toBeGreaterThan(0)
    expect(started.map(callOf).filter(call => before.includes(call))).toEqual([])
  })
})

/** The calls that have a durable result. */
function results(project: ProjectFolder): string[] {
  return project
    .journal()
    .filter(line => line['type'] === 'result')
    .map(callOf)
}

function callOf(line: Record<string, unknown>): string {
  return `${String(line['key'])} ${String(line['n'])}`
}
