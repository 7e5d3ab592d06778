import { describe, expect, inject, it } from 'vitest'
import { tutti, startTutti, type Finished } from './installed/command.ts'
import { packedManifest } from './installed/packages.ts'
import { ProjectFolder } from './installed/project-folder.ts'
import { until } from './installed/until.ts'

const meta = "export const meta = { name: 'x', description: 'x' }"
const one = `${meta}\nreturn await agent('one', { label: 'one' })\n`
const two = `${meta}\nreturn await parallel(['a', 'b'].map(l => () => agent(l, { label: l })))\n`

describe('tutti', () => {
  it('tells its version', async () => {
    using project = new ProjectFolder()
    const { version } = packedManifest(inject('installation').tarballs['tutti'] ?? '')
    expect(await tutti(['--version'], { project })).toEqual({ exit: 0, stdout: `${version}\n`, stderr: '' })
  })

  it('explains itself with examples', async () => {
    using project = new ProjectFolder()
    const { exit, stdout } = await tutti(['--help'], { project })
    expect(exit).toBe(0)
    expect(stdout).toContain('tutti run examples/review-changes.js')
    for (const command of ['run', 'resume', 'check', 'ls', 'show', 'stop', 'config'])
      expect(stdout).toContain(command)
  })
})

describe('the exit code of a run', () => {
  it('is 0 when it completed', async () => {
    expect((await run(one, { one: { ok: 1 } })).exit).toBe(0)
  })

  it('is 1 when it failed', async () => {
    expect((await run(`${meta}\nthrow new Error('no')\n`, {})).exit).toBe(1)
  })

  it('is 2 when the script is refused', async () => {
    expect((await run('return 1\n', {})).exit).toBe(2)
  })

  it('is 2 when the command line is wrong', async () => {
    using project = new ProjectFolder()
    expect((await tutti(['run', '--no-such-flag'], { project })).exit).toBe(2)
  })

  it('is 3 when some agents failed', async () => {
    expect((await run(two, { a: { ok: 1 }, b: { die: 'refused' } })).exit).toBe(3)
  })

  it('is 4 when the account cannot go on', async () => {
    expect((await run(one, { one: { die: 'quota' } })).exit).toBe(4)
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('on %s is %i, and the run can be resumed', async (signal, code) => {
    using project = project2({ a: { ok: 1 }, b: { hang: true } })
    const running = startTutti(['run', 'main.js', '--backend', 'scripted:agents.json', '--json'], { project })
    await until('the first result', () => project.journal().some(line => line['type'] === 'result'))
    running.child.kill(signal)
    expect((await running.finished).exit).toBe(code)
    project.write('agents.json', JSON.stringify({ b: { ok: 2 } }))
    const resumed = await tutti(['resume', '--backend', 'scripted:agents.json', '--json'], { project })
    expect(resumed.exit).toBe(0)
    expect(resultOf(resumed)).toEqual([1, 2])
  })
})

describe('tutti stop', () => {
  it('stops a run of another process', async () => {
    using project = project2({ a: { ok: 1 }, b: { hang: true } })
    const running = startTutti(['run', 'main.js', '--backend', 'scripted:agents.json', '--json'], { project })
    await until('the first result', () => project.journal().some(line => line['type'] === 'result'))
    const runId = runIdOf(project)
    expect((await tutti(['stop', runId], { project })).exit).toBe(0)
    expect([130, 143]).toContain((await running.finished).exit)
    const end = project.journal().findLast(line => line['type'] === 'run_end')
    expect(end).toMatchObject({ status: 'killed' })
  })

  it('has nothing to do when the run has ended', async () => {
    using project = project2({ a: { ok: 1 }, b: { ok: 2 } })
    await tutti(['run', 'main.js', '--backend', 'scripted:agents.json', '--json'], { project })
    const runId = runIdOf(project)
    expect(await tutti(['stop', runId], { project })).toMatchObject({
      exit: 0,
      stdout: `${runId} has already ended: completed\n`,
    })
  })

  it('refuses a run whose process is gone, and says how to go on', async () => {
    using project = project2({ a: { ok: 1 }, b: { hang: true } })
    const running = startTutti(['run', 'main.js', '--backend', 'scripted:agents.json', '--json'], { project })
    await until('the first result', () => project.journal().some(line => line['type'] === 'result'))
    running.child.kill('SIGKILL')
    await running.finished
    const runId = runIdOf(project)
    const { exit, stderr } = await tutti(['stop', runId], { project })
    expect(exit).toBe(2)
    expect(stderr).toContain(`tutti resume ${runId}`)
  })
})

function project2(table: object): ProjectFolder {
  return new ProjectFolder({ 'main.js': two, 'agents.json': JSON.stringify(table) })
}

function runIdOf(project: ProjectFolder): string {
  return String(project.journal().find(line => line['type'] === 'launched')?.['runId'])
}

async function run(source: string, table: object): Promise<Finished> {
  using project = new ProjectFolder({ 'main.js': source, 'agents.json': JSON.stringify(table) })
  return await tutti(['run', 'main.js', '--backend', 'scripted:agents.json', '--json'], { project })
}

function resultOf({ stdout }: Finished): unknown {
  return JSON.parse(stdout)
}
