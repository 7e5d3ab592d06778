import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startMockModel, type MockReply, type MockRequest } from '@tutti-internal/mock-model'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installedProduct, WITH_PRODUCTS } from './installed-product.ts'

const TUTTI = fileURLToPath(new URL('../../../apps/cli/dist/bin.js', import.meta.url))

const SCRIPT = `export const meta = { name: 'fix', description: 'Fix each file in its own worktree' }
const { files } = await agent('Which files have a typo?', { label: 'find', schema: { type: 'object', required: ['files'], properties: { files: { type: 'array', items: { type: 'string' } } } } })
return parallel(files.map(file => () => agent('Fix ' + file, { label: file, isolation: 'worktree' })))
`

describe.skipIf(!WITH_PRODUCTS || !existsSync(TUTTI))('tutti run --backend cli:codex', () => {
  let base: string
  let env: Record<string, string | undefined>

  beforeAll(async () => {
    const command = await installedProduct('codex', '@openai/codex@0.171.0')
    base = mkdtempSync(join(homedir(), '.tutti-command-'))
    env = {
      PATH: `${dirname(command)}:${process.env['PATH']}`,
      HOME: base,
      CODEX_HOME: join(base, 'codex'),
      CLAUDE_CONFIG_DIR: join(base, 'config'),
      MOCK_KEY: 'key-of-the-test',
    }
  }, 600_000)
  afterAll(() => rmSync(base, { recursive: true, force: true }))

  test('finds, fixes in worktrees, and the work is merged', async () => {
    const project = mkdtempSync(join(tmpdir(), 'tutti-command-'))
    const git = (...args: string[]): string => execFileSync('git', args, { cwd: project, encoding: 'utf8' })
    for (const name of ['a.txt', 'b.txt']) writeFileSync(join(project, name), `teh ${name}\n`)
    writeFileSync(join(project, 'fix.js'), SCRIPT)
    git('init', '--quiet')
    git('config', 'user.name', 'Test')
    git('config', 'user.email', 'test@localhost')
    git('add', '--all')
    git('commit', '--quiet', '-m', 'first')

    await using server = await startMockModel({ replies: answer })
    execFileSync('mkdir', ['-p', join(base, 'codex')])
    writeFileSync(
      join(base, 'codex', 'config.toml'),
      `model = "mock-model"\nmodel_provider = "mock"\n[model_providers.mock]\nname = "mock"\nbase_url = "${server.url}/v1"\nenv_key = "MOCK_KEY"\nwire_api = "responses"\n`,
    )
    const tutti = (...args: string[]): Promise<{ stdout: string }> =>
      promisify(execFile)(process.execPath, [TUTTI, ...args], { cwd: project, env })

    const { stdout } = await tutti('run', 'fix.js', '--backend', 'cli:codex', '--json')
    expect(JSON.parse(stdout)).toEqual(['Fixed a.txt', 'Fixed b.txt'])
    expect(git('status', '--porcelain')).toBe('')
    expect((await tutti('worktrees', 'merge', '--all')).stdout).toMatch(/merged: a\.txt[\s\S]*merged: b\.txt/)
    expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe('the a.txt\n')
    expect((await tutti('worktrees', 'rm', '--all')).stdout).toMatch(/removed/)
    expect((await tutti('doctor')).stdout).toMatch(/cli:codex +ok +codex-cli 0\.171\.0/)
    rmSync(project, { recursive: true, force: true })
  }, 120_000)
})

/** Looks at what was said last: the model needs no memory. */
function answer({ body }: MockRequest): MockReply {
  const text = JSON.stringify(body.input)
  const done = text.includes('function_call_output')
  const file = /Fix (\w+\.txt)/.exec(text)?.[1]
  if (file !== undefined) {
    const cmd = `sed -i s/teh/the/ ${file}`
    return done ? { text: `Fixed ${file}` } : { toolCalls: [{ name: 'exec_command', input: { cmd } }] }
  }
  if (done) return { text: 'Done.' }
  return { toolCalls: [{ name: 'mcp__tutti/StructuredOutput', input: { files: ['a.txt', 'b.txt'] } }] }
}
