import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AgentTree } from '@tutti/agents/worktree'
import type { RunRecord } from '@tutti/protocol'
import { startMockModel } from '@tutti-internal/mock-model'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { main } from '../../src/main.ts'
import { bundleCommand, startSession, type RealSession } from '../session/support/real-session.ts'
import { createSandboxProject, RUN_ID_IN_TEXT, type SandboxProject } from '../support/sandbox-project.ts'

const SCRIPT = `export const meta = { name: 'tree', description: 'One agent in a tree' }
return await agent('Write work.txt.', { label: 'work', isolation: 'worktree' })
`

/** A file of its own, which finds its packages from where it really is. */
const SANDBOX_WORKER = fileURLToPath(
  new URL('../../../../packages/runtime/dist/sandbox-worker.js', import.meta.url),
)

let folder: string
let program: string
let project: SandboxProject

beforeAll(async () => {
  const base = fileURLToPath(new URL('../../node_modules/.tutti-test/', import.meta.url))
  mkdirSync(base, { recursive: true })
  folder = mkdtempSync(join(base, 'killed-'))
  program = await bundleCommand(folder)
  symlinkSync(SANDBOX_WORKER, join(folder, 'sandbox-worker.js'))
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true }))

beforeEach(async () => {
  project = await createSandboxProject({ 'tree.js': SCRIPT })
  const git = (...args: string[]): unknown => execFileSync('git', args, { cwd: project.cwd })
  git('init', '--quiet')
  git('add', '--all')
  git('-c', 'user.name=Test', '-c', 'user.email=test@localhost', 'commit', '--quiet', '-m', 'first')
})
afterEach(() => project.remove())

async function lookWhileRunning<T>(
  { child, stderr }: RealSession,
  look: () => Promise<T | undefined>,
): Promise<T> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the command has ended: ${stderr()}`)
    const found = await look()
    if (found !== undefined) return found
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

test('the worktree of an agent whose program was killed is listed, shown, and gone on with', async () => {
  await using server = await startMockModel({
    replies: [
      { toolCalls: [{ name: 'Write', input: { file_path: 'work.txt', content: 'half' } }] },
      { text: 'wait', delayMs: 3_600_000 },
      { toolCalls: [{ name: 'Bash', input: { command: 'echo more >> work.txt; pwd' } }] },
      { text: 'All of it is there.' },
    ],
  })
  const env = {
    ANTHROPIC_API_KEY: 'sk-of-the-test',
    ANTHROPIC_BASE_URL: server.url,
    ANTHROPIC_MODEL: 'm',
  }
  const own = { HOME: join(project.root, '..'), CLAUDE_CONFIG_DIR: project.root }
  const tutti = async (...argv: string[]): Promise<{ code: number; out: string; err: string }> => {
    const io = project.io({ env })
    const code = await main(argv, io)
    return { code, out: io.stdout.text(), err: io.stderr.text() }
  }
  const shown = async (runId: string): Promise<RunRecord & { worktrees: object[] }> =>
    JSON.parse((await tutti('show', runId, '--json')).out) as RunRecord & { worktrees: object[] }

  const flags = ['--permission-mode', 'bypassPermissions']
  const running = startSession(program, ['run', 'tree.js', ...flags], {
    cwd: project.cwd,
    env: { ...own, ...env },
  })
  const runId = await lookWhileRunning(running, async () => RUN_ID_IN_TEXT.exec(running.stderr())?.[0])
  const path = await lookWhileRunning(running, async () => {
    const [row] = (await shown(runId)).progress.filter(one => one.type === 'workflow_agent')
    return server.requests.length === 2 && row?.sessionId ? row.worktree?.path : undefined
  })
  running.child.kill('SIGKILL')
  expect(await running.ended).toBe('SIGKILL')

  const [tree, ...others] = JSON.parse((await tutti('worktrees', '--json')).out) as AgentTree[]
  expect(others).toEqual([])
  expect(tree).toMatchObject({ path, runId, label: 'work', state: 'uncommitted', files: ['work.txt'] })
  expect(tree?.inUseBy).toBeUndefined()
  expect((await shown(runId)).worktrees).toMatchObject([{ path, agents: ['work'] }])
  expect((await tutti('show', runId)).out).toContain(path)

  const { code, out, err } = await tutti('retry', runId, 'work', '--continue', ...flags, '--json')
  expect([code, out], err).toEqual([0, '"All of it is there."\n'])
  expect(JSON.stringify(server.requests[3]?.body.messages)).toContain(path)
  expect(readFileSync(join(path, 'work.txt'), 'utf8')).toBe('halfmore\n')
  expect((await shown(runId)).worktrees).toMatchObject([
    { path, branch: expect.stringContaining('tutti/'), files: ['work.txt'] },
  ])
}, 60_000)
