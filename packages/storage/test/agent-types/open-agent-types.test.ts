import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sha256 } from '@tutti/runtime'
import { openAgentTypes, type FileAgentTypes } from '@tutti/storage'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'

let folder: ReturnType<typeof temporaryFolder>
let repo: string

beforeEach(async () => {
  folder = temporaryFolder()
  repo = join(folder.path, 'repo')
  await mkdir(join(repo, '.git'), { recursive: true })
})

afterEach(() => folder.remove())

async function define(path: string, text: string): Promise<string> {
  const file = join(folder.path, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
  return file
}

function open(cwd: string = repo): FileAgentTypes {
  return openAgentTypes({ cwd, root: join(folder.path, 'root') })
}

it('has the built-in types where there are no files', async () => {
  expect((await open().list()).map(({ name }) => name)).toEqual(['workflow-subagent', 'shell'])
  expect((await open().find('workflow-subagent'))?.prompt).toMatch(/return value.*Nobody is there/)
  expect(await open().find('nobody')).toBeUndefined()
})

it('reads a definition: front matter, then the system prompt', async () => {
  const text =
    '---\nname: reviewer\ndescription: Reviews\ntools: Read, Grep, Bash(git log, git diff)\nmodel: opus\n---\n\nYou review.\n'
  const path = await define('repo/.claude/agents/anything.md', text)
  expect(await open().find('reviewer')).toEqual({
    name: 'reviewer',
    description: 'Reviews',
    tools: ['Read', 'Grep', 'Bash(git log, git diff)'],
    model: 'opus',
    prompt: 'You review.',
    hash: sha256(text),
    source: path,
  })
})

it.each([
  [
    'CRLF and a BOM',
    '\uFEFF---\r\nname: x\r\ntools: [Read]\r\n---\r\nHi\r\n',
    { tools: ['Read'], prompt: 'Hi' },
  ],
  ['no name', '---\ndescription: d\n---\nHi', { name: 'x', description: 'd' }],
  ['an empty list of fields', '---\n---\nHi', { name: 'x', prompt: 'Hi' }],
  ['no body', '---\nname: x\n---', { name: 'x', prompt: undefined }],
  ['a line of dashes in the body', '---\nname: x\n---\na\n---\nb', { prompt: 'a\n---\nb' }],
  [
    'the model of the caller',
    '---\nname: x\nmodel: inherit\ntools: "*"\n---\nHi',
    { model: undefined, tools: undefined },
  ],
])('understands %s', async (_, text, expected) => {
  await define('repo/.claude/agents/x.md', text)
  expect({
    model: undefined,
    tools: undefined,
    prompt: undefined,
    ...(await open().find('x')),
  }).toMatchObject(expected)
})

it('takes the nearest of a name, up to the repository root, then those of the user', async () => {
  const near = await define('repo/a/.claude/agents/one.md', '---\nname: one\n---\nnear')
  await define('repo/.claude/agents/one.md', '---\nname: one\n---\nfar')
  const user = await define('root/agents/two.md', '---\nname: two\n---\nuser')
  await define('.claude/agents/three.md', '---\nname: three\n---\noutside')
  const types = open(join(repo, 'a'))
  expect((await types.list()).slice(2).map(({ source }) => source)).toEqual([near, user])
})

it.each([
  ['no front matter', 'You are.', /front matter/],
  ['YAML that does not parse', '---\nname: [\n---\nHi', /flow|end|\]/i],
  ['a list', '---\n- a\n---\nHi', /list of fields/],
  ['tools of the wrong kind', '---\ntools: 5\n---\nHi', /tools/],
  ['a name that is none', '---\nname: "a/b"\n---\nHi', /name/],
  ['a description that is no text', '---\ndescription: [a]\n---\nHi', /description/],
])('lists a file with %s as a problem, and using it says why', async (_, text, reason) => {
  const path = await define('repo/.claude/agents/bad.md', text)
  await define('root/agents/bad.md', '---\nname: bad\n---\nfarther away')
  const [problem] = await open().problems()
  expect(problem).toMatchObject({ name: 'bad', path, error: expect.stringMatching(reason) })
  await expect(open().find('bad')).rejects.toMatchObject({
    name: 'WorkflowInputError',
    code: 'agent-type-unknown',
    message: expect.stringContaining(path),
  })
  expect((await open().list()).length).toBe(2)
})

it('does not let a file replace a built-in type', async () => {
  await define('repo/.claude/agents/shell.md', '---\nname: shell\n---\nmine')
  expect((await open().find('shell'))?.source).toBe('built-in')
  expect((await open().problems())[0]?.error).toMatch(/built in/)
})

it.each([
  ['a tag that nobody knows', '---\nname: !nobody x\n---\nHi', 'Unresolved tag: !nobody'],
  ['a second document', '---\nname: x\n...\nname: y\n---\nHi', 'multiple documents'],
])('reports %s as a problem of the file, and nowhere else', async (_name, text, message) => {
  const warnings: string[] = []
  const listen = (warning: Error): void => void warnings.push(warning.message)
  process.on('warning', listen)
  try {
    const path = await define('repo/.claude/agents/x.md', text)
    const types = open()
    expect(await types.problems()).toEqual([{ name: 'x', path, error: expect.stringContaining(message) }])
    await expect(types.find('x')).rejects.toMatchObject({ code: 'agent-type-unknown' })
    await new Promise(resolve => setImmediate(resolve))
    expect(warnings).toEqual([])
  } finally {
    process.off('warning', listen)
  }
})

it('reads collections as names of fields without a warning', async () => {
  const warnings: string[] = []
  const listen = (warning: Error): void => void warnings.push(warning.message)
  process.on('warning', listen)
  try {
    await define('repo/.claude/agents/x.md', '---\nname: x\n? [a, b]\n: c\n---\nHi')
    expect(await open().problems()).toEqual([])
    await new Promise(resolve => setImmediate(resolve))
    expect(warnings).toEqual([])
  } finally {
    process.off('warning', listen)
  }
})
