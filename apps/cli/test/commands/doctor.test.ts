import { execFileSync } from 'node:child_process'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { main } from '../../src/main.ts'
import { createSandboxProject, type SandboxProject } from '../support/sandbox-project.ts'

let project: SandboxProject
beforeEach(async () => {
  project = await createSandboxProject()
})
afterEach(() => project.remove())

async function doctor(env: Record<string, string> = {}, ...argv: string[]): Promise<string> {
  const io = project.io({ env })
  expect(await main(['doctor', ...argv], io)).toBe(0)
  return io.stdout.text()
}

async function install(name: string): Promise<string> {
  await project.write(`bin/${name}`, '#!/bin/sh\necho agent 1.2.3\n')
  await chmod(join(project.cwd, 'bin', name), 0o755)
  return join(project.cwd, 'bin')
}

describe('doctor', () => {
  test('on a bare machine says what to do, in this order', async () => {
    const out = await doctor()
    expect(out).toMatch(/^model +– +no key: set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY$/m)
    expect(out).toMatch(/^cli:claude +– +no command "claude" on the PATH$/m)
    expect(out).toMatch(/^git +– .* git init, and a first commit$/m)
    expect(out).not.toContain('acp:')
    const [, next = ''] = out.split('Next:\n')
    expect(next).toBe(
      [
        '  1. See a workflow run, with answers that are made up and cost nothing:',
        `       echo "export const meta = { name: 'hello', description: 'First steps' }; return agent('Say hello')" > hello.js`,
        '       tutti run hello.js',
        '  2. Let a model do the work; its provider gives you a key:',
        '       export ANTHROPIC_API_KEY=…   # or OPENAI_API_KEY, or GEMINI_API_KEY',
        '       tutti run hello.js',
        '  3. Or let an agent product do it, with its own login and at its cost:',
        '       npm install -g @openai/codex',
        '       codex login',
        '       tutti run hello.js --backend cli:codex',
        '',
      ].join('\n'),
    )
  })

  test('tells whether commands of agents can be confined', async () => {
    expect(await doctor()).toMatch(/^sandbox +– +bubblewrap +(no command "bwrap"|there is no sandbox for)/m)
    await project.write('bin/bwrap', '#!/bin/sh\ncase $1 in --version) echo bubblewrap 9.9;; esac')
    await chmod(join(project.cwd, 'bin', 'bwrap'), 0o755)
    if (process.platform !== 'linux') return
    const out = await doctor({ PATH: join(project.cwd, 'bin') })
    expect(out).toMatch(/^sandbox +ok +bubblewrap 9\.9 +commands of agents can be confined/m)
  })

  test('tells commands that work as they stand', async () => {
    const { next } = JSON.parse(await doctor({}, '--json')) as { next: { commands: string[] }[] }
    const [make = '', run = ''] = next[0]?.commands ?? []
    execFileSync('/bin/sh', ['-c', make], { cwd: project.cwd })
    const [program, ...argv] = run.split(' ')
    expect(program).toBe('tutti')
    expect(await project.tutti(...argv)).toMatchObject({ code: 0, out: expect.stringContaining('Say hello') })
  })

  test.each(['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'])(
    'with %s lets the model work',
    async name => {
      const out = await doctor({ [name]: 'x' })
      expect(out).toMatch(new RegExp(`^model +ok +${name} set$`, 'm'))
      expect(out).toContain(`Backend: model, because ${name} is set.`)
      expect(out).toContain('  1. Run a workflow; its agents work on model:\n')
      expect(out).not.toContain('cannot be used')
    },
  )

  test('a backend that is chosen and cannot be used is the first thing to mend', async () => {
    const out = await doctor({}, '--settings', '{"tutti":{"backend":"cli:codex"}}')
    expect(out).toContain(
      '  1. Mend cli:codex, which the settings choose: see its line above; or choose another:\n',
    )
    expect(out).toContain('       tutti config tutti.backend\n')
  })

  test('names keys and never shows them', async () => {
    const out = await doctor({ ANTHROPIC_API_KEY: 'sk-the-secret' })
    expect(out).toMatch(/^model +ok +ANTHROPIC_API_KEY set$/m)
    expect(out).toContain('Backend: model, because ANTHROPIC_API_KEY is set.')
    expect(out).toMatch(/Next:\n {2}1\. Run a workflow; its agents work on model:\n/)
    expect(out).not.toContain('the-secret')
  })

  test('offers an agent that is installed', async () => {
    const PATH = await install('codex')
    const out = await doctor({ PATH })
    expect(out).toMatch(/^cli:codex +ok +agent 1\.2\.3; no key set: it must be logged in by itself$/m)
    expect(out).toContain('--backend cli:codex lets it work')
    expect(out).toMatch(
      /Next:\n {2}1\. Let cli:codex do the work.*:\n(.*\n)? {7}tutti run hello\.js --backend cli:codex\n/,
    )
  })

  test('--json has all of it', async () => {
    const report = JSON.parse(await doctor({}, '--json')) as Record<string, unknown>
    expect(report).toMatchObject({ node: process.versions.node, default: { name: 'simulate' } })
    expect(report['backends']).toContainEqual(
      expect.objectContaining({ name: 'acp:opencode', usable: false }),
    )
  })
})

describe('agents', () => {
  test('lists the types with source, tools and model, and tells files that cannot be used', async () => {
    await project.write(
      '.claude/agents/reviewer.md',
      '---\nname: reviewer\ndescription: Reviews\ntools: Read, Grep\nmodel: opus\n---\nReview.',
    )
    await project.write('.claude/agents/broken.md', '---\nname: [\n---\n')
    const { code, out, err } = await project.tutti('agents')
    expect(code).toBe(0)
    expect(out).toMatch(/^workflow-subagent .* all +built-in/m)
    expect(out).toMatch(/^reviewer +opus +Read, Grep +\S+reviewer\.md +Reviews$/m)
    expect(err).toContain('broken.md')
    const json = JSON.parse((await project.tutti('agents', '--json')).out) as object
    expect(json).toMatchObject({ problems: [{ name: 'broken' }] })
  })
})
