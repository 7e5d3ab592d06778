import { chmod, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { main } from '../../src/main.ts'
import { createSandboxProject, type SandboxProject, TWO_AGENTS } from '../support/sandbox-project.ts'

const AGENT = `#!/bin/sh
cat > /dev/null
echo '{"type":"thread.started","thread_id":"t"}'
echo '{"type":"item.completed","item":{"type":"agent_message","text":"from codex"}}'
echo '{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}'
`

let project: SandboxProject
beforeEach(async () => {
  project = await createSandboxProject({ 'pair.js': TWO_AGENTS, 'bin/codex': AGENT })
  await chmod(join(project.cwd, 'bin/codex'), 0o755)
})
afterEach(() => project.remove())

interface Asked {
  out: string
  err: string
  questions: string[]
}

async function run(answer: string | undefined, ...argv: string[]): Promise<Asked> {
  const questions: string[] = []
  const io = project.io({ env: { PATH: `${join(project.cwd, 'bin')}:/usr/bin:/bin` } })
  io.question = async text => {
    questions.push(typeof text === 'string' ? text : text())
    return answer
  }
  expect(await main(['run', 'pair.js', ...argv], io)).toBe(0)
  return { out: io.stdout.text(), err: io.stderr.text(), questions }
}

const kept = async (): Promise<unknown> =>
  JSON.parse(await readFile(join(project.root, 'settings.json'), 'utf8').catch(() => 'null'))

describe('an agent product that is installed, with nothing configured', () => {
  test('is asked about once, and does the work after a yes', async () => {
    const first = await run('y')
    expect(first.questions).toEqual([expect.stringContaining('codex is installed')])
    expect(first.out).toContain('from codex')
    expect(await kept()).toEqual({ tutti: { backend: 'cli:codex' } })
    const second = await run('y')
    expect(second.questions).toEqual([])
    expect(second.out).toContain('from codex')
  })

  test('is not asked about again after a no', async () => {
    expect((await run('')).out).toContain('Simulated')
    expect(await kept()).toEqual({ tutti: { backend: 'simulate' } })
    expect((await run('y')).questions).toEqual([])
  })

  test('is not used without an answer, and nothing is kept', async () => {
    expect((await run(undefined)).out).toContain('Simulated')
    expect(await kept()).toBeNull()
  })

  test.each([['--json'], ['--quiet'], ['--backend', 'simulate']])(
    'is not asked about with %s',
    async (...argv) => {
      expect((await run('y', ...argv)).questions).toEqual([])
    },
  )

  test('leaves the rest of the settings, and a link to them, as they are', async () => {
    const real = join(project.cwd, 'dotfiles.json')
    await writeFile(real, '{"model":"opus","tutti":{"concurrency":2}}')
    await rm(project.root, { recursive: true, force: true })
    await project.write('../config/keep', '')
    await symlink(real, join(project.root, 'settings.json'))
    await run('y')
    expect(JSON.parse(await readFile(real, 'utf8'))).toEqual({
      model: 'opus',
      tutti: { concurrency: 2, backend: 'cli:codex' },
    })
  })
})
