import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSandboxProject, type SandboxProject, TWO_AGENTS } from '../support/sandbox-project.ts'

let project: SandboxProject
beforeEach(async () => {
  project = await createSandboxProject({ 'pair.js': TWO_AGENTS })
})
afterEach(() => project.remove())

describe('completion', () => {
  test.each(['bash', 'zsh', 'fish'])('for %s names every command and flag', async shell => {
    const { code, out } = await project.tutti('completion', shell)
    expect(code).toBe(0)
    for (const word of ['run', 'resume', 'check', 'ls', 'show', 'stop', 'config']) expect(out).toContain(word)
    expect(out).toContain('concurrency')
  })

  test('for another shell is refused', async () => {
    expect((await project.tutti('completion', 'tcsh')).code).toBe(2)
  })
})
