import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Settings } from '@tutti/protocol'
import type { SessionConfig } from '@tutti/session'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parseFlags } from '../../src/session/parse-flags.ts'
import { readSessionFlags } from '../../src/session/read-session-flags.ts'
import { sessionConfig } from '../../src/session/session-config.ts'

let cwd: string
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'tutti-cli-'))
})
afterEach(() => rm(cwd, { recursive: true, force: true }))

const config = (argv: string[], settings: Settings = {}, env = {}): Promise<SessionConfig> =>
  sessionConfig(readSessionFlags(parseFlags(argv)), { settings, env, cwd })

describe('the configuration of a session', () => {
  test('comes from flags before settings', async () => {
    const settings: Settings = { model: 'of-settings', permissions: { defaultMode: 'plan' } }
    expect(await config(['-p'], settings)).toMatchObject({
      model: 'of-settings',
      permissionMode: 'plan',
      print: true,
    })
    expect(await config(['-p', '--model', 'm', '--permission-mode', 'acceptEdits'], settings)).toMatchObject({
      model: 'm',
      permissionMode: 'acceptEdits',
      settings,
    })
    expect((await config(['-p'])).permissionMode).toBe('default')
  })

  test('counts on somebody at the other end only where the protocol is spoken', async () => {
    const argv = ['--input-format', 'stream-json', '--output-format', 'stream-json']
    expect(await config(argv)).toMatchObject({ print: false })
    expect(await config(['-p', ...argv])).toMatchObject({ print: false })
    const nobody = await config([...argv, '--permission-prompt-tool', 'stdio', '--permission-prompts=none'])
    expect(nobody.permissionPromptTool).toBeUndefined()
  })

  test('takes the number of thinking tokens from the environment of one family of clients', async () => {
    expect(await config(['-p'], {}, { MAX_THINKING_TOKENS: '1024' })).toMatchObject({
      maxThinkingTokens: 1024,
    })
    expect(await config(['-p', '--thinking', 'disabled'], {}, { MAX_THINKING_TOKENS: '1024' })).toMatchObject(
      {
        maxThinkingTokens: 0,
      },
    )
    expect((await config(['-p'], {}, { MAX_THINKING_TOKENS: 'lots' })).maxThinkingTokens).toBeUndefined()
  })
})

describe('files that flags name', () => {
  test('hold prompts, a schema and servers, which may stand in the flag as well', async () => {
    const schema = { type: 'object' }
    await writeFile(join(cwd, 'prompt.md'), '\uFEFFBe kind.')
    await writeFile(join(cwd, 'schema.json'), JSON.stringify(schema))
    await writeFile(join(cwd, 'mcp.json'), '{"mcpServers":{"files":{"command":"serve","args":["."]}}}')
    const web = '{"mcpServers":{"web":{"type":"http","url":"http://localhost"}}}'
    const prompts = ['--system-prompt-file', 'prompt.md', '--append-system-prompt', 'Always.']
    const servers = ['--mcp-config', 'mcp.json', web]
    const found = await config(['-p', ...prompts, '--json-schema=schema.json', ...servers])
    expect(found).toMatchObject({
      systemPrompt: 'Be kind.',
      appendSystemPrompt: 'Always.',
      jsonSchema: schema,
      mcpServers: {
        files: { command: 'serve', args: ['.'] },
        web: { type: 'http', url: 'http://localhost' },
      },
    })
    expect((await config(['-p', '--json-schema', '{"type":"array"}'])).jsonSchema).toEqual({ type: 'array' })
  })

  test('leave servers that run in the host to the host', async () => {
    const { mcpServers } = await config([
      '-p',
      '--mcp-config',
      '{"mcpServers":{"a":{"type":"sdk","name":"a"}}}',
    ])
    expect(mcpServers).toEqual({})
  })

  test.each([
    [['--json-schema', 'missing.json'], '--json-schema: cannot read missing.json'],
    [['--json-schema', '{"a":'], '--json-schema is not JSON'],
    [['--system-prompt-file', 'missing.md'], '--system-prompt-file: cannot read missing.md'],
    [['--mcp-config', '{}'], '--mcp-config has no object "mcpServers"'],
    [
      ['--mcp-config', '{"mcpServers":{"a":{"command":7}}}'],
      '--mcp-config: the server "a" is not valid: command',
    ],
  ])('%j is refused', async (argv, message) => {
    await expect(config(['-p', ...argv])).rejects.toThrow(message)
  })

  test('a refusal does not repeat the text, which may hold a secret', async () => {
    await expect(config(['-p', '--mcp-config', '{"token":"s3cret"'])).rejects.not.toThrow(/s3cret/)
    await writeFile(join(cwd, 'list.json'), '["s3cret"]')
    await expect(config(['-p', '--json-schema', 'list.json'])).rejects.toThrow(
      /^--json-schema list.json is not a JSON/,
    )
  })
})

describe('servers of tools', () => {
  const one = '{"mcpServers":{"one":{"command":"one"}}}'
  const settings: Settings = { mcpServers: { two: { command: 'two' } }, enableAllProjectMcpServers: true }

  test('of flags and settings hold together, for agents of workflows as well', async () => {
    const found = await config(['-p', '--mcp-config', one], settings)
    expect(found.settings.mcpServers).toEqual({ one: { command: 'one' }, two: { command: 'two' } })
    expect(found.settings.enableAllProjectMcpServers).toBe(true)
  })

  test('are only those of the flags with --strict-mcp-config', async () => {
    const found = await config(['-p', '--mcp-config', one, '--strict-mcp-config'], settings)
    expect(found.settings).toEqual({ mcpServers: { one: { command: 'one' } } })
  })
})
