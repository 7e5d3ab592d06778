import { readFile, unlink, utimes, writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSandboxProject, type SandboxProject, TWO_AGENTS } from '../support/sandbox-project.ts'

let project: SandboxProject
beforeEach(async () => {
  project = await createSandboxProject({ 'pair.js': TWO_AGENTS })
})
afterEach(() => project.remove())

const run = (): Promise<string> => project.runOf({ '*': { echo: true } })

async function path(runId: string, end: string): Promise<string> {
  const file = (await project.files()).find(name => name.endsWith(`${runId}${end}`))
  return `${project.root}/${file}`
}

describe('a run whose record cannot be read', () => {
  test('is named by ls, and is not passed over by what takes the latest run', async () => {
    const older = await run()
    const newer = await run()
    const record = await path(newer, '.json')
    const text = await readFile(record, 'utf8')
    await writeFile(record, JSON.stringify({ ...(JSON.parse(text) as object), schemaVersion: 99 }))
    const listed = await project.tutti('ls')
    expect(listed.code).toBe(0)
    expect(listed.out).toContain(older)
    expect(listed.out).not.toContain(newer)
    expect(listed.err).toContain(
      `warning run ${newer} is not shown: ${record} was written by a newer version`,
    )
    for (const command of ['resume', 'show']) {
      const { code, err } = await project.tutti(command)
      expect(code).not.toBe(0)
      expect(err).toContain(`the latest run of this project, ${newer}, cannot be read`)
    }
    expect((await project.tutti('show', older)).code).toBe(0)
  })

  test('does not keep a later one from being taken', async () => {
    const older = await run()
    const record = await path(older, '.json')
    await writeFile(record, '{')
    await utimes(record, 1_000, 1_000)
    const newer = await run()
    expect((await project.tutti('show')).out).toContain(newer)
  })

  test('is not nothing', async () => {
    const only = await run()
    await writeFile(await path(only, '.json'), '{')
    const { out, err } = await project.tutti('ls')
    expect(out).toBe('')
    expect(err).toContain(`run ${only} is not shown`)
  })
})

describe('the result of a completed run', () => {
  test('that is missing can be restored with what show says', async () => {
    const runId = await run()
    await unlink(await path(runId, '.output.json'))
    const { code, err } = await project.tutti('show', '--result')
    expect(code).toBe(2)
    expect(err).toContain('.output.json is missing, though the run has completed')
    expect(err).toContain(`To restore it: tutti resume ${runId}`)
    expect((await project.tutti('resume', runId)).code).toBe(0)
    expect((await project.tutti('show', '--result', '--json')).out).toBe('["say a","say b"]\n')
  })

  test.each(['{"status":', 'null'])('that is damaged (%s) is named, and can be restored', async text => {
    const runId = await run()
    const output = await path(runId, '.output.json')
    await writeFile(output, text)
    const { code, err } = await project.tutti('show', '--result')
    expect(code).not.toBe(0)
    expect(err).toContain(`the result of run ${runId} is damaged: ${output}`)
    expect(err).toContain(`tutti resume ${runId}`)
    expect((await project.tutti('resume', runId)).code).toBe(0)
    expect((await project.tutti('show', '--result', '--json')).out).toBe('["say a","say b"]\n')
  })
})
