import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { checkFrames, problemText, splitLines } from '@tutti-internal/frame-check'
import { systemClock, type Clock } from '@tutti/runtime'
import { main } from '../../src/main.ts'
import { createSandboxProject, type SandboxProject, TWO_AGENTS, until } from '../support/sandbox-project.ts'

let project: SandboxProject
beforeEach(async () => {
  project = await createSandboxProject({ 'pair.js': TWO_AGENTS })
})
afterEach(() => project.remove())

describe('--stream-json', () => {
  test('writes frames only: started, the launch result, progress, the pair', async () => {
    const { code, out, err } = await project.tutti('run', 'pair.js', '--stream-json')
    expect(code).toBe(0)
    const lines = splitLines(out)
    expect(problemText(checkFrames(lines, { source: 'run' }))).toBe('')
    const frames = lines.map(line => JSON.parse(line) as Record<string, never>)
    const kinds = frames.map(frame => String(frame['subtype'] ?? frame['type']))
    expect(kinds[0]).toBe('task_started')
    expect(kinds.indexOf('user')).toBeLessThan(kinds.indexOf('task_progress'))
    expect(kinds.filter(kind => kind === 'task_notification')).toHaveLength(1)
    expect(kinds.indexOf('task_updated')).toBeLessThan(kinds.indexOf('task_notification'))
    expect(frames[0]).toMatchObject({ workflow_name: 'path:pair.js', task_type: 'local_workflow' })
    expect(frames.find(frame => frame['type'] === 'user')).toMatchObject({
      tool_use_result: { status: 'async_launched', workflowName: 'pair' },
    })
    expect(err).toMatch(
      /^completed wf_\S+ agents=2 tokens=\d+ duration=\S+ \(2 calls: 2 ok\) · simulated: .* made up\n$/,
    )
  })

  test('speaks the dialect asked for', async () => {
    const { out } = await project.tutti('run', 'pair.js', '--stream-json', '--dialect', 'claude-code')
    const started = JSON.parse(out.split('\n')[0] ?? '') as object
    expect(started).toMatchObject({ workflow_name: 'pair', prompt: TWO_AGENTS })
    const dialect = 'claude-code'
    expect(problemText(checkFrames(splitLines(out), { source: 'run', dialect }))).toBe('')
  })

  test('a reader that goes away stops the run quietly', async () => {
    const io = project.io()
    const running = main(
      ['run', 'pair.js', '--stream-json', await project.scripted({ '*': { hang: true } })],
      io,
    )
    await until(() => io.stdout.text().includes('task_progress'))
    io.stdout.breakWith('EPIPE')
    io.stdout.write('')
    expect(await running).toBe(130)
    expect(io.stderr.text()).toBe('')
    expect(problemText(checkFrames(splitLines(io.stdout.text()), { source: 'run', cut: true }))).toBe('')
  })

  test('a reader that does not read cannot hold up a stop', async () => {
    const clock = systemClock()
    const hasty: Clock = {
      now: () => clock.now(),
      // The two seconds of patience pass at once.
      timer: (ms, callback) => clock.timer(ms === 2000 ? 0 : ms, callback),
    }
    const io = project.io({ clock: hasty })
    const table = await project.scripted({ '*': { hang: true } })
    const running = main(['run', 'pair.js', '--stream-json', table], io)
    await until(() => io.stdout.text().includes('task_progress'))
    io.stdout.stall()
    io.signal('SIGTERM')
    expect(await running).toBe(143)
  })
})
