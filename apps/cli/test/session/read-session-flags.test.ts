import { describe, expect, test } from 'vitest'
import { parseFlags } from '../../src/session/parse-flags.ts'
import { readSessionFlags } from '../../src/session/read-session-flags.ts'
import type { SessionFlags } from '../../src/session/session-flags.ts'

const read = (...argv: string[]): SessionFlags => readSessionFlags(parseFlags(argv))

describe('the flags of client programs', () => {
  test('one family: lists with commas, values with an equals sign', () => {
    const argv =
      '--output-format stream-json --verbose --input-format stream-json --model=m --fallback-model=f ' +
      '--permission-mode=plan --allowedTools=Read,Bash(ls:*) --tools= --setting-sources= --max-turns=3 ' +
      '--max-budget-usd=0.5 --permission-prompt-tool=stdio --session-id=x --thinking=disabled --effort=high ' +
      '--include-partial-messages --strict-mcp-config --no-session-persistence --task-budget=9'
    expect(read(...argv.split(' '))).toMatchObject({
      print: false,
      inputFormat: 'stream-json',
      outputFormat: 'stream-json',
      formatGiven: true,
      verbose: true,
      model: 'm',
      fallbackModel: 'f',
      permissionMode: 'plan',
      allowedTools: ['Read', 'Bash(ls:*)'],
      tools: [],
      settingSources: [],
      maxTurns: 3,
      maxBudgetUsd: 0.5,
      permissionPromptTool: 'stdio',
      sessionId: 'x',
      maxThinkingTokens: 0,
      effort: 'high',
      includePartialMessages: true,
      strictMcpConfig: true,
      persistence: false,
      notes: [],
    })
  })

  test('the other one: many values, sources "none", a session that is resumed under its own id', () => {
    const formats = ['--input-format=stream-json', '--output-format=stream-json', '--verbose']
    const tools = ['--setting-sources', 'none', '--allowedTools', 'Read', 'Bash(git log:*)', '--tools', '']
    const sessions = ['--session-id', 'x', '--resume', 'x', '--permission-mode', 'fullAccess']
    const flags = read(...formats, ...tools, ...sessions, '--add-dir', 'a', '--add-dir', 'b')
    expect(flags).toMatchObject({
      settingSources: [],
      allowedTools: ['Read', 'Bash(git log:*)'],
      sessionId: 'x',
      resume: 'x',
      permissionMode: 'bypassPermissions',
      addDirs: ['a', 'b'],
      tools: [],
    })
    expect(flags.notes).toEqual(['--permission-mode fullAccess is taken as bypassPermissions'])
  })
})

describe('values', () => {
  test('that are not given leave everything as it is', () => {
    expect(read('-p')).toMatchObject({
      print: true,
      inputFormat: 'text',
      outputFormat: 'text',
      allowedTools: [],
      mcpConfig: [],
      persistence: true,
      forkSession: false,
    })
    for (const name of [
      'prompt',
      'tools',
      'settingSources',
      'resume',
      'sessionId',
      'maxWaitMs',
      'model',
    ] as const) {
      expect(read('-p')[name]).toBeUndefined()
    }
  })

  test('the prompt is all words', () => {
    expect(read('-p', 'fix', 'it').prompt).toBe('fix it')
    expect(read('--print=fix it')).toMatchObject({ print: true, prompt: 'fix it' })
    expect(read('--print=false')).toMatchObject({ print: false, prompt: undefined })
  })

  test('the last of several counts', () => {
    expect(read('--model', 'a', '--model', 'b').model).toBe('b')
  })

  test('switches may be turned off', () => {
    expect(read('--verbose=false').verbose).toBe(false)
    expect(() => read('--verbose=perhaps')).toThrow('--verbose must be one of true, false, not "perhaps"')
  })

  test('--continue and --resume without a value mean the latest', () => {
    expect(read('-c').resume).toBe(true)
    expect(read('--resume').resume).toBe(true)
    expect(read('-c', '--resume', 'x').resume).toBe('x')
  })

  test('the name "default" stands for all built-in tools', () => {
    expect(read('--tools', 'default').tools).toBeUndefined()
    expect(read('--tools', 'Read,Edit').tools).toEqual(['Read', 'Edit'])
  })

  test('--dangerously-skip-permissions wins over a mode; allowing it changes nothing', () => {
    expect(read('--dangerously-skip-permissions', '--permission-mode', 'plan').permissionMode).toBe(
      'bypassPermissions',
    )
    expect(read('--allow-dangerously-skip-permissions').permissionMode).toBeUndefined()
  })

  test('waits and thinking are numbers', () => {
    expect(read('--max-wait', '90s').maxWaitMs).toBe(90_000)
    expect(read('--max-wait', 'none').maxWaitMs).toBeUndefined()
    expect(read('--max-thinking-tokens', '0').maxThinkingTokens).toBe(0)
    expect(read('--thinking', 'adaptive').maxThinkingTokens).toBeUndefined()
  })

  test('an empty system prompt is one', () => {
    expect(read('--system-prompt', '').systemPrompt).toBe('')
    expect(read('--append-system-prompt', '').appendSystemPrompt).toBeUndefined()
  })

  test.each([
    ['--input-format', 'xml'],
    ['--output-format', 'yaml'],
    ['--permission-mode', 'yolo'],
    ['--effort', 'enormous'],
    ['--thinking', 'perhaps'],
    ['--max-thinking-tokens', '-1'],
    ['--max-turns', '0'],
    ['--max-budget-usd', 'lots'],
    ['--max-wait', '5'],
    ['--setting-sources', 'user,everyone'],
    ['--dialect', 'latin'],
  ])('%s %s is refused by name', (flag, value) => {
    expect(() => read(flag, value)).toThrow(new RegExp(`^${flag} must be`))
  })

  test('an unknown flag is noted and nothing else', () => {
    expect(read('-p', 'hi', '--brand-new=1').notes).toEqual([
      'the flag --brand-new is not known and is ignored',
    ])
  })

  test('of many unknown flags twenty are named, shortened', () => {
    const flags = Array.from({ length: 2000 }, (_, n) => `--x${n}${'y'.repeat(500)}=1`)
    const { notes } = read('-p', 'hi', ...flags)
    expect(notes).toHaveLength(21)
    expect(notes.join('\n').length).toBeLessThan(4000)
    expect(notes.at(-1)).toBe('1980 more flags are not known and are ignored')
  })
})
