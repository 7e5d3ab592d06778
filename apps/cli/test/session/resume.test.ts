import { appendFile, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { openSessionFiles, projectSlug } from '@tutti/storage'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createSessionProject, framesIn, type SessionProject } from './support/session-project.ts'

vi.setConfig({ testTimeout: 30_000 })

const A = '00000000-0000-4000-8000-00000000000a'
const B = '00000000-0000-4000-8000-00000000000b'

let project: SessionProject
beforeEach(async () => {
  project = await createSessionProject(({ n }) => ({ text: `answer ${n + 1}` }))
})
afterEach(() => project.remove())

const folder = (): string => join(project.root, 'projects', projectSlug(project.cwd))
const transcript = (id: string): string => join(folder(), `${id}.jsonl`)
const transcripts = async (): Promise<string[]> =>
  (await readdir(folder()).catch((): string[] => [])).filter(name => name.endsWith('.jsonl')).sort()

/** What the last request said to the model. */
function heard(): { role: string; content: unknown }[] {
  return (project.model.requests.at(-1)?.body['messages'] ?? []) as { role: string; content: unknown }[]
}
const words = (): string => JSON.stringify(heard().map(({ content }) => content))

async function linesOf(id: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(transcript(id), 'utf8')
  return text
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as Record<string, unknown>)
}

describe('what is said', () => {
  test('is written as it goes, for its owner only', async () => {
    const { out } = await project.ask(['-p', 'hello', '--session-id', A, '--output-format', 'stream-json'])
    expect((await stat(transcript(A))).mode & 0o777).toBe(0o600)
    const lines = await linesOf(A)
    expect(lines).toMatchObject([
      { type: 'user', parentUuid: null, sessionId: A, cwd: project.cwd, message: { content: 'hello' } },
      { type: 'assistant', sessionId: A, message: { role: 'assistant', content: [{ text: 'answer 1' }] } },
    ])
    expect(lines[1]?.['parentUuid']).toBe(lines[0]?.['uuid'])
    const frame = framesIn(out).find(({ type }) => type === 'assistant')
    expect(frame?.['uuid']).toBe(lines[1]?.['uuid'])
  })

  test('is not written with --no-session-persistence', async () => {
    await project.ask(['-p', 'hello', '--no-session-persistence'])
    expect(await transcripts()).toEqual([])
  })
})

describe('a session that is resumed', () => {
  test('is refused while another process writes it, which is named, with the way out', async () => {
    await project.ask(['-p', 'hello', '--session-id', A])
    const files = openSessionFiles({ cwd: project.cwd, root: project.root })
    await using _ = await files.lease(A)
    const { code, err } = await project.ask(['-p', 'again', '--resume', A])
    expect(code).not.toBe(0)
    expect(err).toContain(`Session ${A} is in use by process ${process.pid}`)
    expect(err).toContain('--fork-session')
    expect((await project.ask(['-p', 'again', '--resume', A, '--fork-session'])).code).toBe(0)
  })

  test('knows what was said, and goes on in the same file', async () => {
    await project.ask(['-p', 'hello', '--session-id', A])
    const { code, out } = await project.ask(['-p', 'again', '--resume', A, '--output-format', 'json'])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ session_id: A, result: 'answer 2' })
    expect(heard().map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    expect(words()).toMatch(/hello.*answer 1.*again/)
    expect(await linesOf(A)).toHaveLength(4)
    expect(await transcripts()).toEqual([`${A}.jsonl`])
  })

  test('may be named twice, as one family of clients does', async () => {
    await project.ask(['-p', 'hello', '--session-id', A])
    expect((await project.ask(['-p', 'again', '--session-id', A, '--resume', A])).code).toBe(0)
    expect(words()).toContain('answer 1')
  })

  test('is the latest with --continue', async () => {
    await project.ask(['-p', 'older', '--session-id', A])
    await project.ask(['-p', 'newer', '--session-id', B])
    await project.ask(['-p', 'again', '-c'])
    expect(words()).toContain('newer')
    expect(words()).not.toContain('older')
  })

  test('as a fork leaves the old one as it is', async () => {
    await project.ask(['-p', 'hello', '--session-id', A])
    const before = await readFile(transcript(A), 'utf8')
    await project.ask(['-p', 'again', '--resume', A, '--fork-session', '--session-id', B])
    expect(words()).toMatch(/hello.*answer 1.*again/)
    expect(await readFile(transcript(A), 'utf8')).toBe(before)
    expect(await linesOf(B)).toHaveLength(4)
    await project.ask(['-p', 'and again', '--resume', B])
    expect(words()).toMatch(/hello.*answer 1.*again.*answer 2.*and again/)
  })

  test('goes on after a message that is named, and leaves out what followed', async () => {
    await project.ask(['-p', 'hello', '--session-id', A])
    await project.ask(['-p', 'a mistake', '--resume', A])
    const [, answer] = await linesOf(A)
    await project.ask(['-p', 'better', '--resume', A, '--resume-session-at', String(answer?.['uuid'])])
    expect(words()).toMatch(/hello.*answer 1.*better/)
    expect(words()).not.toContain('a mistake')
    await project.ask(['-p', 'more', '--resume', A])
    expect(words()).toMatch(/hello.*answer 1.*better.*answer 3.*more/)
    expect(words()).not.toContain('a mistake')
  })

  test('with a torn end goes on with what is whole, and says so', async () => {
    await project.ask(['-p', 'hello', '--session-id', A])
    await appendFile(transcript(A), '{"type":"assistant","uuid":"x","mess')
    const { code, err } = await project.ask(['-p', 'again', '--resume', A])
    expect(code).toBe(0)
    expect(err).toContain('1 lines cannot be read and are passed over')
    expect(words()).toMatch(/hello.*answer 1.*again/)
    const last = (await readFile(transcript(A), 'utf8')).trimEnd().split('\n').at(-1) ?? ''
    expect(JSON.parse(last)).toMatchObject({ message: { content: [{ text: 'answer 2' }] } })
  })

  test('with a use of a tool that has no result is one that a model takes', async () => {
    await project.ask(['-p', 'hello', '--session-id', A])
    const [, answer] = await linesOf(A)
    const use = {
      type: 'assistant',
      uuid: 'x',
      parentUuid: answer?.['uuid'],
      message: { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: {} }] },
    }
    await appendFile(transcript(A), `${JSON.stringify(use)}\n`)
    expect((await project.ask(['-p', 'again', '--resume', A])).code).toBe(0)
    const [, second, third] = heard()
    expect(second?.content).toMatchObject([{ text: 'answer 1' }, { type: 'tool_use', id: 'toolu_1' }])
    expect(third).toMatchObject({ role: 'user' })
    expect(JSON.stringify(third?.content)).toMatch(/"type":"tool_result".*"tool_use_id":"toolu_1".*again/s)
  })

  test.each([
    [['--resume', B], `there is no session ${B} in this project`],
    [['--resume', 'nope'], '--resume must be a UUID'],
    [['--session-id', A], `there is a session ${A} already`],
    [['--resume', A, '--session-id', B], 'is not the session that is resumed'],
    [['--resume', A, '--resume-session-at', 'nope'], 'has no message nope'],
    [['--resume-session-at', 'nope'], 'needs --resume'],
  ])('is refused with %j', async (argv, message) => {
    await project.ask(['-p', 'hello', '--session-id', A])
    const { code, out, err } = await project.ask(['-p', 'again', ...argv])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(message)
    expect(project.model.requests).toHaveLength(1)
  })

  test('is refused with --continue where there is none', async () => {
    const { code, err } = await project.ask(['-p', 'again', '--continue'])
    expect(code).toBe(2)
    expect(err).toContain('no session in this project')
  })
})
