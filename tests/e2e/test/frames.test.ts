import type { TaskFrame } from '@tutti/protocol'
import * as schemas from '@tutti/protocol/schemas'
import { describe, expect, it } from 'vitest'
import { tutti } from './installed/command.ts'
import { ProjectFolder } from './installed/project-folder.ts'

const script = `export const meta = { name: 'frames', description: 'Shows frames', phases: [{ title: 'P' }] }
phase('P')
log('a line')
return await parallel(['a', 'b'].map(l => () => agent(l, { label: l })))
`

describe('tutti run --stream-json', () => {
  it('writes valid frames, from task_started to one notification after its update', async () => {
    const frames = await framesOf({ a: { ok: 1 }, b: { die: 'refused' } })
    for (const frame of frames) expect(schemas.OutFrameSchema.safeParse(frame).error).toBeUndefined()
    const subtypes = frames.map(({ subtype }) => subtype)
    expect(subtypes.indexOf('task_started')).toBeLessThan(subtypes.indexOf('task_progress'))
    expect(subtypes.filter(subtype => subtype === 'task_started')).toHaveLength(1)
    expect(subtypes.filter(subtype => subtype === 'task_notification')).toHaveLength(1)
    const notification = frames.findIndex(({ subtype }) => subtype === 'task_notification')
    const update = frames.findIndex(
      frame => frame.subtype === 'task_updated' && frame.patch.status === 'completed',
    )
    expect(update).toBeGreaterThanOrEqual(0)
    expect(update).toBeLessThan(notification)
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
  using project = new ProjectFolder({ 'main.js': script, 'agents.json': JSON.stringify(table) })
  const args = [
    'run',
    'main.js',
    '--backend',
    'scripted:agents.json',
    '--stream-json',
    '--dialect',
    'codebuddy',
  ]
  const { stdout } = await tutti(args, { project })
  return stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as TaskFrame)
}
