import type { Dialect, TaskFrame } from '@tutti/protocol'
import { checkFrames, problemText, splitLines } from '@tutti-internal/frame-check'
import { describe, expect, it } from 'vitest'
import { tutti } from './installed/command.ts'
import { ProjectFolder } from './installed/project-folder.ts'

const script = `export const meta = { name: 'frames', description: 'Shows frames', phases: [{ title: 'P' }] }
phase('P')
log('a line')
return await parallel(['a', 'b'].map(l => () => agent(l, { label: l })))
`

describe('tutti run --stream-json', () => {
  it.each(['codebuddy', 'claude-code'] as const)('keeps every rule of the wire as %s', async dialect => {
    const lines = await linesOf({ a: { ok: 1 }, b: { die: 'refused' } }, dialect)
    expect(problemText(checkFrames(lines, { dialect, source: 'run' }))).toBe('')
    expect(lines.filter(line => line.includes('"task_notification"'))).toHaveLength(1)
  })

  it('shows every agent ended before the end', async () => {
    const frames = await framesOf({ a: { ok: 1 }, b: { die: 'refused' } })
    const last = frames.findLast(frame => frame.subtype === 'task_progress')
    const rows = last?.workflow_progress?.filter(row => row.type === 'workflow_agent') ?? []
    expect(rows.map(({ label, state, cause }) => [label, state, cause])).toEqual([
      ['a', 'done', undefined],
      ['b', 'error', 'refused'],
    ])
  })
})

async function framesOf(table: object): Promise<TaskFrame[]> {
  return (await linesOf(table, 'codebuddy')).map(line => JSON.parse(line) as TaskFrame)
}

async function linesOf(table: object, dialect: Dialect): Promise<string[]> {
  using project = new ProjectFolder({ 'main.js': script, 'agents.json': JSON.stringify(table) })
  const backend = ['--backend', 'scripted:agents.json']
  const { stdout } = await tutti(['run', 'main.js', ...backend, '--stream-json', '--dialect', dialect], {
    project,
  })
  return splitLines(stdout)
}
