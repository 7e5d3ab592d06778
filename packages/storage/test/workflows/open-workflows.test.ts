import { existsSync, readFileSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { openWorkflows, type SavedWorkflows } from '@tutti/storage'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'

let folder: ReturnType<typeof temporaryFolder>
let root: string
let repo: string

beforeEach(async () => {
  folder = temporaryFolder()
  root = join(folder.path, 'root')
  repo = join(folder.path, 'repo')
  await mkdir(join(repo, '.git'), { recursive: true })
})

afterEach(() => folder.remove())

function script(name: string, description = `About ${name}`): string {
  return `export const meta = { name: '${name}', description: '${description}', whenToUse: 'Often' }\nreturn 1\n`
}

async function save(path: string, text: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
  return path
}

function open(cwd: string = repo): SavedWorkflows {
  return openWorkflows({ cwd, root, bundled: [{ name: 'built', source: script('built') }] })
}

describe('the list', () => {
  it('has those of the project, the user and the program, with what they are for', async () => {
    const ours = await save(join(repo, '.claude/workflows/audit.js'), script('audit'))
    const mine = await save(join(root, 'workflows/tidy.mjs'), script('tidy'))
    await save(join(repo, '.claude/workflows/notes.txt'), 'no script')
    expect(await open().list()).toEqual([
      { name: 'audit', description: 'About audit', whenToUse: 'Often', source: 'project', path: ours },
      { name: 'tidy', description: 'About tidy', whenToUse: 'Often', source: 'user', path: mine },
      { name: 'built', description: 'About built', whenToUse: 'Often', source: 'bundled' },
    ])
  })

  it('takes the name from the script, and the nearest of a name', async () => {
    const near = await save(join(repo, 'a/.claude/workflows/x.js'), script('audit', 'near'))
    const far = await save(join(repo, '.claude/workflows/audit.js'), script('audit', 'far'))
    await save(join(folder.path, '.claude/workflows/out.js'), script('outside'))
    await mkdir(join(repo, 'a/b'))
    const list = await open(join(repo, 'a/b')).list()
    expect(list.map(({ path, shadowedBy }) => [path, shadowedBy])).toEqual([
      [near, undefined],
      [far, near],
      [undefined, undefined],
    ])
    expect(await open(join(repo, 'a/b')).resolve({ name: 'audit' }, undefined)).toMatchObject({ path: near })
    expect(await open(repo).resolve({ name: 'audit' }, undefined)).toMatchObject({ path: far })
  })

  it('shows files that cannot be run with the reason', async () => {
    await save(join(repo, '.claude/workflows/broken.js'), 'export const meta = { name: nope }\n')
    await mkdir(join(repo, '.claude/workflows/folder.js'))
    const [broken, directory] = await open().list()
    expect(broken).toMatchObject({ name: 'broken', error: expect.stringMatching(/^line 1: /) })
    expect(directory).toMatchObject({ name: 'folder', error: expect.stringContaining('not a plain file') })
  })
})

describe('resolving', () => {
  it('gives the text of a bundled one without a path', async () => {
    expect(await open().resolve({ name: 'built' }, undefined)).toEqual({ source: script('built') })
  })

  it('names the known ones and the near ones when there is none of that name', async () => {
    await save(join(repo, '.claude/workflows/audit.js'), script('audit-routes'))
    await expect(open().resolve({ name: 'audit-route' }, undefined)).rejects.toMatchObject({
      name: 'WorkflowNotFoundError',
      message:
        'There is no saved workflow "audit-route". Did you mean "audit-routes"? Known: audit-routes, built.',
    })
  })

  it('says so when the one of that name is broken, rather than run another', async () => {
    const path = await save(join(repo, '.claude/workflows/tidy.js'), 'oops(')
    await save(join(root, 'workflows/tidy.js'), script('tidy'))
    await expect(open().resolve({ name: 'tidy' }, undefined)).rejects.toThrow(path)
  })

  it('takes a path relative to the script that asked, else to the working directory', async () => {
    const child = await save(join(repo, 'flows/child.js'), script('child'))
    expect(await open().resolve({ scriptPath: './child.js' }, join(repo, 'flows/main.js'))).toEqual({
      source: script('child'),
      path: child,
    })
    expect(await open().resolve({ scriptPath: 'flows/child.js' }, undefined)).toMatchObject({ path: child })
  })

  it.each(['missing.js', '/dev/zero', '../../etc/passwd', 'folder.js'])(
    'refuses the path %s',
    async scriptPath => {
      await mkdir(join(repo, 'folder.js'))
      await expect(open().resolve({ scriptPath }, undefined)).rejects.toMatchObject({
        code: 'workflow-not-found',
      })
    },
  )
})

describe('saving', () => {
  it('puts a script where it is found again, for the project or the user', async () => {
    await mkdir(join(repo, 'a'))
    const ours = await open(join(repo, 'a')).save('audit', script('audit'), 'project')
    const mine = await open().save('tidy', script('tidy'), 'user')
    expect([ours, mine]).toEqual([join(repo, '.claude/workflows/audit.js'), join(root, 'workflows/tidy.js')])
    await open().save('audit', script('audit', 'second'), 'project')
    expect((await open().list()).map(({ description }) => description)).toEqual([
      'second',
      'About tidy',
      'About built',
    ])
  })

  it('refuses a script that would not run, or calls itself otherwise', async () => {
    await expect(open().save('audit', 'nonsense(', 'project')).rejects.toMatchObject({
      code: 'script-invalid',
    })
    await expect(open().save('other', script('audit'), 'project')).rejects.toMatchObject({
      code: 'option-invalid',
    })
    await expect(open().save('../x', script('audit'), 'project')).rejects.toMatchObject({
      code: 'option-invalid',
    })
    expect(existsSync(join(repo, '.claude'))).toBe(false)
  })

  it.each(['.claude', '.claude/workflows', '.claude/workflows/audit.js'])(
    'refuses to write through a link: %s',
    async link => {
      const elsewhere = join(folder.path, 'elsewhere')
      await (link.endsWith('.js')
        ? save(elsewhere, 'old')
        : mkdir(join(elsewhere, 'workflows'), { recursive: true }))
      await mkdir(dirname(join(repo, link)), { recursive: true })
      await symlink(elsewhere, join(repo, link))
      await expect(open().save('audit', script('audit'), 'project')).rejects.toThrow(/symbolic link/)
      if (link.endsWith('.js')) expect(readFileSync(elsewhere, 'utf8')).toBe('old')
      else
        expect(
          existsSync(join(elsewhere, 'audit.js')) || existsSync(join(elsewhere, 'workflows/audit.js')),
        ).toBe(false)
    },
  )
})
