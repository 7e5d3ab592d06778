import { execFile, execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startMockModel, viewOf, type MockReply, type MockRequest } from '@tutti-internal/mock-model'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installedProduct, WITH_PRODUCTS } from './installed-product.ts'

const repository = fileURLToPath(new URL('../../../', import.meta.url))
const TUTTI = join(repository, 'apps/cli/dist/bin.js')

/** What repairs each file, as a command. */
const FIXES: Record<string, string> = {
  'src/math.js': "sed -i '1i /** Twice as much. */' src/math.js",
  'src/text.js': 'sed -i /TODO/d src/text.js',
}

describe.skipIf(!WITH_PRODUCTS || !existsSync(TUTTI))('examples/fix-lint.js with the real codex', () => {
  let base: string
  let env: Record<string, string | undefined>

  beforeAll(async () => {
    const command = await installedProduct('codex', '@openai/codex@0.171.0')
    base = mkdtempSync(join(homedir(), '.tutti-fix-lint-'))
    env = {
      PATH: `${dirname(command)}:${process.env['PATH']}`,
      HOME: base,
      CODEX_HOME: join(base, 'codex'),
      CLAUDE_CONFIG_DIR: join(base, 'config'),
      MOCK_KEY: 'key-of-the-test',
    }
  }, 600_000)
  afterAll(() => rmSync(base, { recursive: true, force: true }))

  test('finds what fails, fixes each file in its own worktree, verifies and merges', async () => {
    const project = join(base, 'project')
    const git = (...args: string[]): string => execFileSync('git', args, { cwd: project, encoding: 'utf8' })
    cpSync(join(repository, 'examples/lint-me'), project, { recursive: true })
    git('init', '--quiet')
    git('config', 'user.name', 'Test')
    git('config', 'user.email', 'test@localhost')
    git('add', '--all')
    git('commit', '--quiet', '-m', 'first')

    await using server = await startMockModel({ replies: answer })
    mkdirSync(join(base, 'codex'))
    writeFileSync(
      join(base, 'codex', 'config.toml'),
      `model = "mock-model"\nmodel_provider = "mock"\n[model_providers.mock]\nname = "mock"\nbase_url = "${server.url}/v1"\nenv_key = "MOCK_KEY"\nwire_api = "responses"\n`,
    )
    const script = join(repository, 'examples/fix-lint.js')
    const given = ['check=node lint.js', '--backend', 'cli:codex', '--allow-shell', '--json']
    const run = promisify(execFile)(process.execPath, [TUTTI, 'run', script, ...given], { cwd: project, env })
    const { stdout } = await run
    expect(JSON.parse(stdout)).toEqual({ merged: Object.keys(FIXES), failed: [], clean: true })
    expect(git('status', '--porcelain')).toBe('')
    expect(git('log', '--merges', '--format=%s').trim().split('\n')).toHaveLength(2)
    execFileSync(process.execPath, ['lint.js'], { cwd: project })
  }, 180_000)
})

function answer(request: MockRequest): MockReply {
  const text = JSON.stringify(request.body['input'])
  const { answers } = viewOf(request)
  const file = Object.keys(FIXES).find(name => text.includes(`Fix ${name}.`))
  if (answers > 0) return { text: 'Done.' }
  if (file !== undefined) return { toolCalls: [{ name: 'exec_command', input: { cmd: FIXES[file] } }] }
  const files = Object.keys(FIXES).map(name => ({ file: name, complaints: ['something'] }))
  return { toolCalls: [{ name: 'mcp__tutti/StructuredOutput', input: { files } }] }
}
