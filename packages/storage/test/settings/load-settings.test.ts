import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadSettings, type LoadedSettings, type SettingsOptions } from '@tutti/storage'
import { temporaryFolder } from '../support/temporary-folder.ts'

let folder: ReturnType<typeof temporaryFolder>
let root: string
let cwd: string

beforeEach(async () => {
  folder = temporaryFolder()
  root = join(folder.path, 'root')
  cwd = join(folder.path, 'repo')
  await mkdir(join(cwd, '.git'), { recursive: true })
})

afterEach(() => folder.remove())

async function write(path: string, value: unknown): Promise<string> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, typeof value === 'string' ? value : JSON.stringify(value, null, 2))
  return path
}

const user = (value: unknown): Promise<string> => write(join(root, 'settings.json'), value)
const project = (value: unknown): Promise<string> => write(join(cwd, '.claude/settings.json'), value)
const local = (value: unknown): Promise<string> => write(join(cwd, '.claude/settings.local.json'), value)
const managed = (value: unknown): Promise<string> => write(join(folder.path, 'managed.json'), value)

function load(options: Partial<SettingsOptions> = {}): Promise<LoadedSettings> {
  return loadSettings({ cwd, root, env: {}, managedFiles: [join(folder.path, 'managed.json')], ...options })
}

it('is empty where there are no files', async () => {
  expect(await load()).toEqual({ settings: {}, origins: {}, warnings: [], ignored: [] })
})

it('lets later sources win key by key and tells where each value comes from', async () => {
  const files = [
    await user({ model: 'u', tutti: { backend: 'u', concurrency: 1, models: { fast: 'a', big: 'b' } } }),
    await project({ model: 'p', tutti: { concurrency: 2, models: { fast: 'c' } } }),
    await local({ tutti: { retries: 3 } }),
  ]
  const { settings, origins } = await load({
    flagSettings: '{"tutti":{"stallMs":5}}',
    env: { TUTTI_BACKEND: 'e' },
  })
  expect(settings).toEqual({
    model: 'p',
    tutti: { backend: 'e', concurrency: 2, models: { fast: 'c', big: 'b' }, retries: 3, stallMs: 5 },
  })
  expect(origins).toEqual({
    model: [{ source: 'project', place: files[1] }],
    'tutti.backend': [{ source: 'env', place: 'TUTTI_BACKEND' }],
    'tutti.concurrency': [{ source: 'project', place: files[1] }],
    'tutti.models.fast': [{ source: 'project', place: files[1] }],
    'tutti.models.big': [{ source: 'user', place: files[0] }],
    'tutti.retries': [{ source: 'local', place: files[2] }],
    'tutti.stallMs': [{ source: 'flag', place: '--settings' }],
  })
})

it('joins lists of rules and replaces other lists', async () => {
  const shell = (args: string[]): object => ({ tutti: { backends: { x: { kind: 'cli', args } } } })
  await user({ permissions: { allow: ['a', 'b'], deny: ['x'] }, ...shell(['1']) })
  await project({ permissions: { allow: ['b', 'c'], ask: ['q'] }, ...shell(['2']) })
  const { settings, origins } = await load({ trustProject: true })
  expect(settings.permissions).toEqual({ allow: ['a', 'b', 'c'], deny: ['x'], ask: ['q'] })
  expect(settings.tutti?.backends?.['x']?.args).toEqual(['2'])
  expect(origins['permissions.allow']?.map(({ source }) => source)).toEqual(['user', 'project'])
})

it('lets nothing override what the administrator says', async () => {
  await managed({ model: 'm', permissions: { deny: ['net'] }, disableWorkflows: true })
  await user({ model: 'u', permissions: { deny: ['x'] } })
  const { settings } = await load({
    flagSettings: '{"model":"f","disableWorkflows":false}',
    env: { TUTTI_MODEL: 'e' },
  })
  expect(settings).toMatchObject({ model: 'm', disableWorkflows: true, permissions: { deny: ['x', 'net'] } })
})

it.each(['CODEBUDDY_DISABLE_WORKFLOWS', 'CLAUDE_CODE_DISABLE_WORKFLOWS', 'TUTTI_DISABLE_WORKFLOWS'])(
  'switches workflows off with %s=1',
  async name => {
    expect((await load({ env: { [name]: '1' } })).settings.disableWorkflows).toBe(true)
    expect((await load({ env: { [name]: '' } })).settings.disableWorkflows).toBeUndefined()
  },
)

it('keeps workflows off once any file switched them off', async () => {
  await user({ disableWorkflows: true })
  await local({ disableWorkflows: false })
  expect((await load({ env: { TUTTI_DISABLE_WORKFLOWS: '0' } })).settings.disableWorkflows).toBe(true)
})

it('prefers our own variable for the number of agents at once', async () => {
  const env = { TUTTI_MAX_CONCURRENT_AGENTS: '7', CLAUDE_CODE_WORKFLOW_MAX_CONCURRENT_AGENTS: '9' }
  expect((await load({ env })).settings.tutti?.concurrency).toBe(7)
  expect(
    (await load({ env: { ...env, TUTTI_MAX_CONCURRENT_AGENTS: undefined } })).settings.tutti?.concurrency,
  ).toBe(9)
})

it.each([
  ['TUTTI_MAX_CONCURRENT_AGENTS', '0'],
  ['TUTTI_RETRIES', 'many'],
  ['TUTTI_CACHE', 'sometimes'],
  ['TUTTI_DISABLE_WORKFLOWS', 'maybe'],
])('refuses %s=%s by name', async (name, value) => {
  await expect(load({ env: { [name]: value } })).rejects.toMatchObject({
    code: 'settings-invalid',
    message: expect.stringContaining(name),
  })
})

describe('a file that cannot be used', () => {
  it.each([
    ['{\n  "model": "a",\n  "env": {,}\n}', 3],
    ['{\n  "model": "a"\n  "env": {}\n}', 3],
    ['{"model": "a"', 1],
    ['{\n  "model": wrong\n}', 2],
    ['', 1],
    ['{\n}\n}', 3],
    ['[]', 1],
  ])('stops the start and names its line: %j', async (text, line) => {
    const path = await project(text)
    await expect(load()).rejects.toMatchObject({
      name: 'WorkflowInputError',
      code: 'settings-invalid',
      message: expect.stringContaining(`${path}:${line} `),
    })
  })

  it.each([
    ['{\n  "model": 5\n}', 2, 'model'],
    ['{\n  "tutti": {\n    "retries": 1,\n    "concurrency": "4"\n  }\n}', 4, 'tutti.concurrency'],
    ['{\n  "permissions": {\n    "allow": [\n      "a",\n      7\n    ]\n  }\n}', 5, 'permissions.allow[1]'],
    [
      '{\n  "tutti": {\n    "backends": { "x": {\n      "kind": "magic" } }\n  }\n}',
      4,
      'tutti.backends.x.kind',
    ],
  ])('names the line and the key of a value of the wrong kind: %j', async (text, line, key) => {
    const path = await user(text)
    await expect(load()).rejects.toMatchObject({
      code: 'settings-invalid',
      message: expect.stringContaining(`${path}:${line} ${key}: `),
    })
  })

  it('may be a folder, or be given and missing', async () => {
    await mkdir(join(root, 'settings.json'), { recursive: true })
    await expect(load()).rejects.toMatchObject({
      code: 'settings-invalid',
      message: expect.stringContaining(root),
    })
    await expect(load({ root: '/nowhere', flagSettings: 'missing.json' })).rejects.toMatchObject({
      code: 'settings-invalid',
      message: expect.stringContaining(join(cwd, 'missing.json')),
    })
  })
})

it('reads the file that --settings names, relative to the working directory', async () => {
  const path = await write(join(cwd, 'mine.json'), { model: 'f' })
  const { settings, origins } = await load({ flagSettings: 'mine.json' })
  expect([settings.model, origins['model']]).toEqual(['f', [{ source: 'flag', place: path }]])
})

it('keeps keys of others, and warns about unknown ones of ours', async () => {
  const path = await user({ theme: 'dark', hooks: { Stop: [] }, tutti: { concurency: 3 } })
  const { settings, warnings } = await load()
  expect(settings).toMatchObject({ theme: 'dark', hooks: { Stop: [] } })
  expect(warnings).toEqual([`${path}: tutti.concurency is not a known setting and is ignored.`])
})

it('takes the nearest project settings up to the repository root, not beyond it', async () => {
  await write(join(folder.path, '.claude/settings.json'), { model: 'outside' })
  await project({ model: 'repo' })
  await mkdir(join(cwd, 'a/b'), { recursive: true })
  expect((await load({ cwd: join(cwd, 'a/b') })).settings.model).toBe('repo')
})

it('does not take the settings of the user for those of a project', async () => {
  await mkdir(join(folder.path, '.git'))
  const home = join(folder.path, '.claude')
  await write(join(home, 'settings.json'), { permissions: { allow: ['a'] } })
  const { origins } = await load({ cwd: folder.path, root: home })
  expect(origins['permissions.allow']?.map(({ source }) => source)).toEqual(['user'])
})

it('does not let a key change the prototype of objects', async () => {
  await user('{"__proto__":{"polluted":true},"env":{"__proto__":{"polluted":true}}}').then(() =>
    load().catch(() => {}),
  )
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
})

it('of files that are left out takes only that they switch workflows off', async () => {
  await user({ disableWorkflows: true, model: 'one' })
  await project('{ this is not JSON')
  await local({ disableWorkflows: false })
  expect((await load({ sources: [] })).settings).toEqual({ disableWorkflows: true })
})
