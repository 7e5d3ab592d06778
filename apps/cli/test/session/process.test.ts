import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectSlug } from '@tutti/storage'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { isAlive, lineFrom } from '../support/processes.ts'
import { until } from '../support/sandbox-project.ts'
import { bundleCommand, startSession, type RealSession } from './support/real-session.ts'
import { createSessionProject, STREAM, type SessionProject } from './support/session-project.ts'
import { userLine } from './support/typed-input.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const A = '00000000-0000-4000-8000-00000000000a'

let bundle: string
let program: string
beforeAll(async () => {
  bundle = await mkdtemp(join(tmpdir(), 'tutti-command-'))
  program = await bundleCommand(bundle)
})
afterAll(() => rm(bundle, { recursive: true, force: true }))

let project: SessionProject
let session: RealSession
beforeEach(async () => {
  // A command of the agent with a child in the background; both tell who they are.
  const command = 'sleep 600 & echo $! > child; echo $$ > shell; wait'
  project = await createSessionProject([
    { toolCalls: [{ name: 'Bash', input: { command, description: 'waits' } }] },
    { text: 'Back again.' },
  ])
  session = start([...STREAM, '--permission-mode', 'bypassPermissions', '--session-id', A])
})
afterEach(async () => {
  session.child.kill('SIGKILL')
  await project.remove()
})

function start(argv: string[]): RealSession {
  const { cwd, root, env } = project
  return startSession(program, argv, { cwd, env: { ...env, HOME: root, CLAUDE_CONFIG_DIR: root } })
}

/** The processes of the agent's command, once they run. */
async function workers(): Promise<number[]> {
  session.send(userLine('wait for me'))
  const texts = await Promise.all(['child', 'shell'].map(name => lineFrom(join(project.cwd, name))))
  return texts.map(Number)
}

describe('a command that ignores SIGTERM', () => {
  test('is killed with all that it started soon after an interrupt, and the session goes on', async () => {
    session.child.kill('SIGKILL')
    await session.ended
    await project.remove()
    const deaf = `trap "" TERM; sh -c 'trap "" TERM; while :; do sleep 1; done' & echo $! > child; echo $$ > shell; while :; do sleep 1; done`
    project = await createSessionProject([
      { toolCalls: [{ name: 'Bash', input: { command: deaf, description: 'does not listen' } }] },
      { text: 'Still here.' },
    ])
    session = start([...STREAM, '--permission-mode', 'bypassPermissions'])
    const pids = await workers()
    const begun = performance.now()
    session.send({ type: 'control_request', request_id: 'i', request: { subtype: 'interrupt' } })
    await until(() => !pids.some(isAlive))
    expect(performance.now() - begun).toBeLessThan(2000)
    await until(() => session.frames().some(({ type }) => type === 'result'))
    session.send(userLine('And now?'))
    await until(() => session.frames().filter(({ type }) => type === 'result').length === 2)
    expect(session.frames().at(-1)).toMatchObject({ result: 'Still here.' })
  })
})

describe('a session that is ended in the middle of a tool', () => {
  test.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('by %s exits with %d, with a result, and nothing is left running', async (signal, code) => {
    const pids = await workers()
    session.child.kill(signal)
    expect(await session.ended).toBe(code)
    expect(session.frames().at(-1)).toMatchObject({ type: 'result', is_error: true })
    await until(() => !pids.some(isAlive))
  })

  test('by kill -9 can be resumed, and nothing is left running', async () => {
    const pids = await workers()
    session.child.kill('SIGKILL')
    expect(await session.ended).toBe('SIGKILL')
    await until(() => !pids.some(isAlive))
    const path = join(project.root, 'projects', projectSlug(project.cwd), `${A}.jsonl`)
    expect((await readFile(path, 'utf8')).split('\n')).toHaveLength(3)

    session = start(['-p', 'go on', '--resume', A, '--output-format', 'stream-json'])
    session.child.stdin?.end()
    expect(await session.ended).toBe(0)
    expect(session.frames().at(-1)).toMatchObject({ type: 'result', result: 'Back again.', session_id: A })
    expect(project.model.requests[1]?.body['messages']).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ type: 'tool_use', name: 'Bash' }] },
      { role: 'user', content: [{ type: 'tool_result', is_error: true }, { text: 'go on' }] },
    ])
  })

  test('by SIGTERM does not wait for a reader that does not read', async () => {
    await workers()
    session.child.stdout?.pause()
    session.child.stderr?.pause()
    session.child.kill('SIGTERM')
    const code = await new Promise(resolve => session.child.once('exit', resolve))
    expect(code).toBe(143)
    session.child.stdout?.resume()
    session.child.stderr?.resume()
    await session.ended
  })
})
