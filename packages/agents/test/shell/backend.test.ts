import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createProcessGroups } from '../../src/process-groups.ts'
import { createShellBackend, type ShellOptions } from '../../src/shell/index.ts'
import { callOf, play, stageFor, type Played } from '../stage/stage.ts'

let root: string

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'tutti-shell-')))
})
afterEach(() => rm(root, { recursive: true, force: true }))

function sh(
  prompt: string,
  given: Parameters<typeof play>[1] = {},
  options: Partial<ShellOptions> = {},
): Promise<Played> {
  return play(createShellBackend({ projectRoot: root, env: process.env, allowShell: true, ...options }), {
    prompt,
    ...given,
  })
}

test('the output is the result, without its last line end', async () => {
  const { outcome, events, transcript } = await sh('printf "a\\nb\\n\\n"; echo note >&2')
  expect(outcome).toMatchObject({ status: 'ok', value: 'a\nb\n', effects: 'yes', usage: { toolUses: 1 } })
  expect(events[0]).toMatchObject({ type: 'tool_start', name: 'Bash' })
  expect(events).toContainEqual({ type: 'activity' })
  expect(events.at(-1)).toEqual({ type: 'tool_end', name: 'Bash' })
  expect(transcript).toHaveLength(2)
})

test('a command does not begin before those who end it with us know its group', async () => {
  const groups = createProcessGroups()
  let begun: boolean | undefined
  const watched = {
    ...groups,
    add(group: number): void {
      // Long enough for a command that waits for nothing.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
      begun = existsSync(join(root, 'begun'))
      groups.add(group)
    },
  }
  expect((await sh('touch begun; echo done', {}, { groups: watched })).outcome).toMatchObject({
    value: 'done',
  })
  expect(begun).toBe(false)
})

test('a command without output gives an empty text', async () => {
  expect((await sh('true')).outcome).toMatchObject({ status: 'ok', value: '' })
})

test('an exit code other than 0 is command_failed with the end of stderr', async () => {
  const { outcome } = await sh('echo out; echo why >&2; exit 3')
  expect(outcome).toMatchObject({
    status: 'failed',
    cause: 'command_failed',
    message: 'the command ended with exit code 3: why',
    lastText: 'out',
    effects: 'yes',
  })
})

test('a command that is killed from outside is command_failed with the signal', async () => {
  expect((await sh('kill -KILL $$')).outcome).toMatchObject({
    cause: 'command_failed',
    message: expect.stringContaining('SIGKILL'),
  })
})

test('with a schema the output is parsed and checked', async () => {
  const schema = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } }
  const run = (command: string): Promise<Played> => sh(command, { schema })
  expect((await run('echo \'{"n": 3}\'')).outcome).toMatchObject({ status: 'ok', value: { n: 3 } })
  expect((await run('echo \'{"n": "3"}\'')).outcome).toMatchObject({
    cause: 'schema_rejected',
    message: expect.stringContaining('/n must be integer'),
    lastInvalid: { n: '3' },
  })
  expect((await run('echo plain')).outcome).toMatchObject({ cause: 'schema_rejected', lastText: 'plain' })
  expect((await run('echo \'{"n": 1e999}\'')).outcome).toMatchObject({ cause: 'schema_rejected' })
})

test('it runs in cwd below the project root', async () => {
  await mkdir(join(root, 'a/b'), { recursive: true })
  expect((await sh('pwd')).outcome).toMatchObject({ value: root })
  expect((await sh('pwd', { cwd: 'a/b' })).outcome).toMatchObject({ value: join(root, 'a/b') })
})

test('a cwd that leads out of the project is refused, by any way', async () => {
  await symlink(tmpdir(), join(root, 'link'))
  await writeFile(join(root, 'file'), '')
  const cause = async (cwd: string): Promise<string> => {
    const { outcome } = await sh('touch made', { cwd })
    return outcome.status === 'ok' ? 'ok' : outcome.cause
  }
  expect(await cause('..')).toBe('permission_denied')
  expect(await cause('a/../../x')).toBe('permission_denied')
  expect(await cause('/tmp')).toBe('permission_denied')
  expect(await cause('link')).toBe('permission_denied')
  expect(await cause('missing')).toBe('invalid_request')
  expect(await cause('file')).toBe('invalid_request')
})

test('secrets of the environment do not reach the command', async () => {
  const env = { PATH: process.env.PATH, OPENAI_API_KEY: 'sk-test-0123456789', PLAIN: 'seen' }
  const { outcome } = await sh('env', {}, { env })
  expect(outcome.status === 'ok' && outcome.value).toContain('PLAIN=seen')
  expect(outcome.status === 'ok' && outcome.value).not.toContain('sk-test')
})

test('output above one megabyte is cut and says so', async () => {
  const { outcome } = await sh('head -c 1048600 /dev/zero | tr "\\0" x')
  const value = (outcome.status === 'ok' && outcome.value) as string
  expect(value).toMatch(/x\n\[24 more bytes of output were cut\]$/)
  expect(value.length).toBeLessThan(1_048_700)
})

test('without a rule or permission nothing runs', async () => {
  const { outcome } = await sh('touch made', {}, { allowShell: false })
  expect(outcome).toMatchObject({
    cause: 'permission_denied',
    effects: 'none',
    message: expect.stringMatching(/no rule allows "touch made".+--allow-shell/),
  })
  await expect(readFile(join(root, 'made'))).rejects.toThrow('ENOENT')
})

test('a rule permits, and a denial holds with allowShell too', async () => {
  const permissions = { allow: ['Bash(echo:*)'], deny: ['Bash(touch:*)'], ask: ['Bash(cat:*)'] }
  expect((await sh('echo hi', {}, { allowShell: false, permissions })).outcome).toMatchObject({ value: 'hi' })
  expect((await sh('touch made', {}, { permissions })).outcome).toMatchObject({ cause: 'permission_denied' })
  expect((await sh('cat /dev/null', {}, { permissions })).outcome).toMatchObject({
    cause: 'permission_denied',
    message: expect.stringContaining('nobody is there to ask'),
  })
})

test('who decides about tools is asked where no rule does', async () => {
  const asked: unknown[] = []
  const backend = createShellBackend({ projectRoot: root, env: process.env })
  const answer = (allowed: boolean) => async (question: unknown) => {
    asked.push(question)
    return { allowed, reason: 'because' }
  }
  expect((await play(backend, { prompt: 'echo hi' }, { permission: answer(true) })).outcome).toMatchObject({
    value: 'hi',
  })
  expect((await play(backend, { prompt: 'echo hi' }, { permission: answer(false) })).outcome).toMatchObject({
    cause: 'permission_denied',
    message: expect.stringContaining('because'),
  })
  expect(asked[0]).toEqual({
    tool: 'Bash',
    input: { command: 'echo hi' },
    why: 'no rule allows "echo hi"',
  })
})

test('a command beyond its time ends as timeout', async () => {
  const { outcome } = await sh('echo begun; sleep 60', { timeoutMs: 200 })
  expect(outcome).toMatchObject({ cause: 'timeout', lastText: 'begun', effects: 'yes' })
})

test('a stop ends the whole process group, a deaf grandchild included', async () => {
  const command =
    '(trap "" TERM; echo $$ > leader; sh -c \'trap "" TERM; echo $$ > deep; while :; do sleep 1; done\') & echo up; wait'
  const { context, stop } = await stageFor()
  const backend = createShellBackend({ projectRoot: root, env: process.env, allowShell: true })
  const execution = backend.start(callOf({ prompt: command }), context)
  const deep = await textOf(join(root, 'deep'))
  expect(isAlive(Number(deep))).toBe(true)
  const stoppedAt = Date.now()
  stop.abort()
  expect(await execution.result).toMatchObject({ cause: 'stopped', lastText: 'up' })
  expect(Date.now() - stoppedAt).toBeLessThan(2000)
  await gone(Number(deep))
})

test('what a command leaves behind in its group ends with it', async () => {
  const { outcome } = await sh('sleep 60 & echo $!')
  expect(outcome.status).toBe('ok')
  await gone(Number(outcome.status === 'ok' && outcome.value))
})

test('a program that ends itself can kill every command at once, deaf ones included', async () => {
  const groups = createProcessGroups()
  const { context } = await stageFor()
  const backend = createShellBackend({ projectRoot: root, env: process.env, allowShell: true, groups })
  const command = 'trap "" TERM; sh -c \'trap "" TERM; echo $$ > deep; while :; do sleep 1; done\' & wait'
  const execution = backend.start(callOf({ prompt: command }), context)
  const deep = Number(await textOf(join(root, 'deep')))
  groups.killAll()
  await gone(deep)
  expect(await execution.result).toMatchObject({ cause: 'command_failed' })
})

test('a command that has ended is no longer among those that run', async () => {
  const running = new Set<number>()
  const groups = {
    add: (group: number) => void running.add(group),
    remove: (group: number) => void running.delete(group),
    killAll: () => {},
  }
  const { outcome } = await sh('echo $$', {}, { groups })
  expect(outcome).toMatchObject({ status: 'ok' })
  expect(running.size).toBe(0)
})

test('a command that cannot be started says so', async () => {
  const { outcome } = await sh('echo hi', {}, { projectRoot: join(root, 'nowhere') })
  expect(outcome).toMatchObject({ cause: 'backend_unavailable', message: expect.stringContaining('nowhere') })
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Resolves when the process is gone or only waits to be reaped; the test's time limit says it is not. */
async function gone(pid: number): Promise<void> {
  for (;;) {
    const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    if (!isAlive(pid) || state.split(') ')[1]?.startsWith('Z')) return
    await new Promise(resolve => setImmediate(resolve))
  }
}

async function textOf(file: string): Promise<string> {
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => '')
    if (text.endsWith('\n')) return text.trim()
    await new Promise(resolve => setImmediate(resolve))
  }
}
