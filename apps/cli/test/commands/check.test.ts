import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSandboxProject, type SandboxProject, TWO_AGENTS } from '../support/sandbox-project.ts'

let project: SandboxProject
beforeEach(async () => {
  project = await createSandboxProject({ 'pair.js': TWO_AGENTS })
})
afterEach(() => project.remove())

describe('check', () => {
  test('says ok, or shows every finding with its place', async () => {
    await project.write('bad.js', 'const meta = 1\nDate.now()\n')
    expect(await project.tutti('check', 'pair.js')).toEqual({ code: 0, out: 'ok pair.js: pair\n', err: '' })
    const { code, out } = await project.tutti('check', 'pair.js', 'bad.js')
    expect(code).toBe(2)
    expect(out).toContain('ok pair.js')
    expect(out).toContain('bad.js:2:1 error')
    expect(out).toContain('refused bad.js')
  })

  test('as JSON', async () => {
    const { out } = await project.tutti('check', 'pair.js', '--json')
    expect(JSON.parse(out)).toMatchObject([
      { file: 'pair.js', ok: true, meta: { name: 'pair' }, findings: [] },
    ])
  })

  test('a file that cannot be read is bad input, the others are still checked', async () => {
    const { code, out, err } = await project.tutti('check', 'none.js', 'pair.js')
    expect(code).toBe(2)
    expect(out).toContain('ok pair.js')
    expect(err).toContain('none.js: there is no such file\nhint  Give the path of a .js file')
    expect(err).toContain('code  usage')
  })
})
