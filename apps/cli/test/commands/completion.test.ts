import { spawnSync } from 'node:child_process'
import { chmod } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSandboxProject, type SandboxProject, TWO_AGENTS } from '../support/sandbox-project.ts'

let project: SandboxProject
beforeEach(async () => {
  project = await createSandboxProject({ 'pair.js': TWO_AGENTS })
})
afterEach(() => project.remove())

describe('completion', () => {
  test.each(['bash', 'zsh', 'fish'])(
    'for %s names every command, flag and closed list of values',
    async shell => {
      const { code, out } = await project.tutti('completion', shell)
      expect(code).toBe(0)
      for (const word of ['run', 'resume', 'check', 'ls', 'show', 'stop', 'config'])
        expect(out).toContain(word)
      expect(out).toContain('concurrency')
      expect(out).toContain('auto codebuddy claude-code')
      expect(out).toContain('auto content never')
      expect(out).toContain('bash zsh fish')
      expect(out).toMatch(/model simulate scripted/)
    },
  )

  test('for another shell is refused', async () => {
    expect((await project.tutti('completion', 'tcsh')).code).toBe(2)
  })

  /** What bash offers for the last of these words; the command is a file that prints a list. */
  async function offered(...words: string[]): Promise<string[]> {
    await project.write('bin/tutti', `#!/bin/sh\necho '[{"runId":"wf_1","a":1},{"runId":"wf_2"}]'\n`)
    await chmod(`${project.cwd}/bin/tutti`, 0o755)
    await project.write('complete.sh', (await project.tutti('completion', 'bash')).out)
    const script = `. ./complete.sh; COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _tutti; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout } = spawnSync('bash', ['-c', script, 'bash', 'tutti', ...words], {
      cwd: project.cwd,
      encoding: 'utf8',
      env: { PATH: `${project.cwd}/bin:${process.env['PATH']}` },
    })
    return stdout.trim().split('\n')
  }

  test.each(['show', 'resume', 'stop', 'diff', 'fork'])('in bash offers runs after %s', async command => {
    expect(await offered(command, 'wf_')).toEqual(['wf_1', 'wf_2'])
  })

  test('in bash offers the flags of a session, and their values', async () => {
    expect(await offered('--fork')).toEqual(['--fork-session'])
    expect(await offered('--print', '--input')).toEqual(['--input-format'])
    expect(await offered('--print', '--output-format', 's')).toEqual(['stream-json'])
    expect(await offered('--vers')).toEqual(['--version'])
  })

  test('in bash offers values, flags, shells and files', async () => {
    expect(await offered('run', 'pair.js', '--cache', '')).toEqual(['auto', 'content', 'never'])
    expect(await offered('run', 'pair.js', '--dialect', '=', 'c')).toEqual(['codebuddy', 'claude-code'])
    expect(await offered('resume', '--backend', 's')).toEqual(['simulate', 'scripted:'])
    expect(await offered('completion', 'f')).toEqual(['fish'])
    expect(await offered('run', '--bud')).toEqual([
      '--budget',
      '--budget-tokens',
      '--budget-cost',
      '--budget-time',
    ])
    expect(await offered('run', 'pa')).toEqual(['pair.js'])
  })
})
