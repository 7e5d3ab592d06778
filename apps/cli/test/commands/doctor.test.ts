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
    expect(out).toMatch(/^model +– +no key: set ANTHROPIC_API_KEY or OPENAI_API_KEY$/m)
    expect(out).toMatch(/^cli:claude +– +no command "claude" on the PATH$/m)
    expect(out).toMatch(/^git +– .* git init, and a first commit$/m)
    expect(out).not.toContain('acp:')
    const [, next = ''] = out.split('Next:\n')
    expect(
      next
        .trimEnd()
        .split('\n')
        .map(line => line.trim().slice(0, 24)),
    ).toEqual(['export ANTHROPIC_API_KEY', 'npm install -g @openai/c', 'tutti run workflow.js --'])
  })

  test('names keys and never shows them', async () => {
    const out = await doctor({ ANTHROPIC_API_KEY: 'sk-the-secret' })
    expect(out).toMatch(/^model +ok +ANTHROPIC_API_KEY set$/m)
    expect(out).toContain('Backend: model, because ANTHROPIC_API_KEY is set.')
    expect(out).toMatch(/Next:\n {2}tutti run workflow\.js/)
    expect(out).not.toContain('the-secret')
  })

  test('offers an agent that is installed', async () => {
    const PATH = await install('codex')
    const out = await doctor({ PATH })
    expect(out).toMatch(/^cli:codex +ok +agent 1\.2\.3; no key set: it must be logged in by itself$/m)
    expect(out).toContain('--backend cli:codex lets it work')
    expect(out).toMatch(/Next:\n {2}tutti run workflow\.js --backend cli:codex/)
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
