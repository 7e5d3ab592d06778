import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startMockModel, viewOf, type MockReply, type MockRequest } from '@tutti-internal/mock-model'
import { describe, expect, it } from 'vitest'
import { tutti, type Finished } from './installed/command.ts'
import { repository } from './installed/packages.ts'
import { ProjectFolder } from './installed/project-folder.ts'

const example = (name: string): string => readFileSync(join(repository, 'examples', name), 'utf8')
const sources = readdirSync(join(repository, 'examples/lint-me/src'))
const files = {
  'lint.js': example('lint-me/lint.js'),
  ...Object.fromEntries(sources.map(name => [`src/${name}`, example(`lint-me/src/${name}`)])),
}

/** What the agent for a file replaces, and by what. */
const FIXES: Record<string, [string, string]> = {
  'src/math.js': ['export function double', '/** Twice as much. */\nexport function double'],
  'src/text.js': ['  // TODO empty texts\n', "  if (text === '') return ''\n"],
}

describe('examples/fix-lint.js with the built-in agent', () => {
  it('finds what fails, fixes each file in its own worktree, verifies and merges', async () => {
    using project = repositoryWith(files)
    const { exit, stdout, stderr } = await fixLint(project, answer)
    expect(exit, stderr).toBe(0)
    expect(JSON.parse(stdout)).toEqual({ merged: Object.keys(FIXES), failed: [], clean: true })
    expect(git(project, 'status', '--porcelain')).toBe('')
    expect(git(project, 'log', '--merges', '--format=%s').split('\n')).toEqual(
      Object.keys(FIXES)
        .map(file => `Fix ${file}`)
        .toReversed(),
    )
    execFileSync(process.execPath, ['lint.js'], { cwd: project.path })
    const removed = await tutti(['worktrees', 'rm', '--all'], { project })
    expect(removed.stdout.match(/removed/g)).toHaveLength(2)
  })

  it('merges nothing that the check does not pass, and leaves it where it is', async () => {
    using project = repositoryWith(files)
    const lazy = (request: MockRequest): MockReply =>
      viewOf(request).prompt.startsWith('Fix src/math.js')
        ? edit(request, 'src/math.js', ['n * 2', 'n + n'])
        : answer(request)
    const { exit, stdout, stderr } = await fixLint(project, lazy)
    expect(exit, stderr).toBe(3)
    expect(JSON.parse(stdout)).toEqual({ merged: ['src/text.js'], failed: ['src/math.js'], clean: false })
    expect(readFileSync(join(project.path, 'src/math.js'), 'utf8')).toBe(files['src/math.js' as never])
    expect((await tutti(['worktrees'], { project })).stdout).toMatch(/changed +1 .*fix:src\/math\.js/)
  })

  it('says what is missing when the check may not be run', async () => {
    using project = repositoryWith(files)
    const { exit, stderr } = await fixLint(project, answer, [])
    expect(exit).toBe(1)
    expect(stderr).toContain('"node lint.js" could not be run; may it? See --allow-shell')
  })
})

async function fixLint(
  project: ProjectFolder,
  replies: (request: MockRequest) => MockReply,
  may: string[] = ['--allow-shell'],
): Promise<Finished> {
  await using server = await startMockModel({ replies })
  const script = join(repository, 'examples/fix-lint.js')
  const env = { ANTHROPIC_API_KEY: 'test', ANTHROPIC_BASE_URL: server.url }
  const given = ['check=node lint.js', '--permission-mode', 'acceptEdits', '--json', ...may]
  return await tutti(['run', script, ...given], { project, env })
}

function answer(request: MockRequest): MockReply {
  const { prompt } = viewOf(request)
  const file = Object.keys(FIXES).find(name => prompt.startsWith(`Fix ${name}.`))
  if (file !== undefined) return edit(request, file, FIXES[file] ?? ['', ''])
  const listed = Object.keys(FIXES).filter(name => prompt.includes(`${name}:`))
  // A path that was made up is not followed.
  const found = [...listed, '/etc/passwd'].map(name => ({ file: name, complaints: ['something'] }))
  return { toolCalls: [{ name: 'StructuredOutput', input: { files: found } }] }
}

function edit(
  request: MockRequest,
  file_path: string,
  [old_string, new_string]: [string, string],
): MockReply {
  const steps: MockReply[] = [
    { toolCalls: [{ name: 'Read', input: { file_path } }] },
    { toolCalls: [{ name: 'Edit', input: { file_path, old_string, new_string } }] },
  ]
  return steps[viewOf(request).answers] ?? { text: 'Done.' }
}

function repositoryWith(given: Record<string, string>): ProjectFolder {
  const project = new ProjectFolder(given)
  git(project, 'init', '--quiet')
  git(project, 'config', 'user.name', 'Test')
  git(project, 'config', 'user.email', 'test@localhost')
  git(project, 'add', '--all')
  git(project, 'commit', '--quiet', '-m', 'first')
  return project
}

function git({ path }: ProjectFolder, ...args: string[]): string {
  return execFileSync('git', args, { cwd: path, encoding: 'utf8' }).trim()
}
