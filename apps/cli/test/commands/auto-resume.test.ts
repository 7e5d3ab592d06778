import { checkFrames, problemText, splitLines } from '@tutti-internal/frame-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { main } from '../../src/main.ts'
import { createLeapingClock } from '../support/leaping-clock.ts'
import { createSandboxProject, type SandboxProject, TWO_AGENTS, until } from '../support/sandbox-project.ts'
import { memoryStream, type TestIo } from '../support/test-io.ts'

/** The chunks in which a pause is waited out; the timers of agents are longer. */
const LEAPS = { from: 10_000, to: 30_000 }
const QUOTA_THEN = { a: { ok: 1 }, b: [{ die: 'quota' }, { die: 'quota' }, { ok: 2 }] }

let project: SandboxProject
beforeEach(async () => {
  project = await createSandboxProject({ 'pair.js': TWO_AGENTS })
})
afterEach(() => project.remove())

async function run(agents: object, ...argv: string[]) {
  const clock = createLeapingClock(LEAPS)
  const io = project.io({ clock })
  const code = await main(['run', 'pair.js', await project.scripted(agents), ...argv], io)
  return { code, clock, out: io.stdout.text(), err: io.stderr.text() }
}

describe('--auto-resume', () => {
  test('goes on with a paused run until it has completed, with what was finished', async () => {
    const { code, out, err } = await run(QUOTA_THEN, '--auto-resume', '--json')
    expect([code, out]).toEqual([0, '[1,2]\n'])
    expect(
      err.match(/paused: quota · goes on at [\d: -]+ \(in 1m 00s\) · Ctrl-C leaves it paused/g),
    ).toHaveLength(1)
    expect(err.match(/async_launched/g)).toHaveLength(3)
    expect(new Set(err.match(/task w[0-9a-z]{8}/g)).size).toBe(3)
    expect(new Set(err.match(/wf_[0-9a-f]{8}-[0-9a-f]{3}/g)).size).toBe(1)
    expect(err).not.toContain('run-paused')
  })

  test('without it a paused run is left paused', async () => {
    const { code, err } = await run(QUOTA_THEN)
    expect(code).toBe(4)
    expect(err).not.toContain('goes on at')
  })

  test('waits longer each time that no agent finished', async () => {
    const billing = { die: 'billing' }
    const agents = { a: { ok: 1, afterMs: 1 }, b: [billing, billing, billing, { ok: 2 }] }
    const { code, clock, err } = await run(agents, '--auto-resume', '--concurrency', '1')
    expect(code).toBe(0)
    expect(err.match(/\(in [^)]*\)/g)).toEqual(['(in 1m 00s)', '(in 2m 00s)', '(in 4m 00s)'])
    expect(Math.round(clock.leapt / 60_000)).toBe(7)
  })

  test('Ctrl-C during the wait leaves the run paused', async () => {
    const io = project.io()
    const running = waitingRun(io)
    await until(() => io.stderr.text().includes('goes on at'))
    io.signal('SIGINT')
    expect(await running).toBe(4)
    expect(io.stderr.text()).toContain('‖ pair paused: quota')
    expect(io.stderr.text()).not.toContain('Stopping')
    expect(io.exits).toEqual([])
    expect((await project.tutti('ls')).out).toContain('paused')
  })

  test('a terminal sees one line that counts down, and it is gone at the end', async () => {
    const io = project.io({ stderr: memoryStream({ isTTY: true, columns: 60, rows: 20 }) })
    const running = waitingRun(io)
    await until(() => io.stderr.text().includes('goes on at'))
    io.signal('SIGINT')
    expect(await running).toBe(4)
    expect(io.stderr.text()).toContain('‖ pair paused: quota · goes on at')
    const [, after = ''] = io.stderr.text().split('goes on at')
    expect(after).toContain('\u001b[1A\r\u001b[J\u001b[?25h')
  })

  test('--quiet says nothing while it waits', async () => {
    const { code, err } = await run(
      { a: { ok: 1 }, b: [{ die: 'quota' }, { ok: 2 }] },
      '--auto-resume',
      '--quiet',
    )
    expect([code, err]).toEqual([0, ''])
  })

  test('with --stream-json every attempt is a task of its own', async () => {
    const { code, out, err } = await run(QUOTA_THEN, '--auto-resume', '--stream-json')
    expect(code).toBe(0)
    const frames = out
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as Record<string, string>)
    expect(problemText(checkFrames(splitLines(out), { source: 'run' }))).toBe('')
    const started = frames.filter(frame => frame['subtype'] === 'task_started')
    expect(new Set(started.map(frame => frame['task_id'])).size).toBe(3)
    const ends = frames.filter(frame => frame['subtype'] === 'task_notification')
    expect(ends.map(frame => [frame['task_id'], frame['status']])).toEqual([
      [started[0]?.['task_id'], 'stopped'],
      [started[1]?.['task_id'], 'stopped'],
      [started[2]?.['task_id'], 'completed'],
    ])
    expect(frames.some(frame => frame['type'] === 'result')).toBe(false)
    expect(err.trimEnd().split('\n')).toHaveLength(3)
    expect(err).toContain('goes on at')
  })

  test('goes on with a resumed run as well', async () => {
    const table = await project.scripted(QUOTA_THEN)
    await project.tutti('run', 'pair.js', table)
    const io = project.io({ clock: createLeapingClock(LEAPS) })
    expect(await main(['resume', '--auto-resume', table, '--json'], io)).toBe(0)
    expect(io.stdout.text()).toBe('[1,2]\n')
  })

  test('needs the cache', async () => {
    const { code, err } = await run(QUOTA_THEN, '--auto-resume', '--cache', 'never')
    expect(code).toBe(2)
    expect(err).toContain('--auto-resume needs the recorded results')
  })

  async function waitingRun(io: TestIo): Promise<number> {
    return main(['run', 'pair.js', '--auto-resume', await project.scripted({ '*': { die: 'quota' } })], io)
  }
})
