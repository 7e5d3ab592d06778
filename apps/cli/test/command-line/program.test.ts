import { describe, expect, test } from 'vitest'
import type { Invocation } from '../../src/command-line/invocation.ts'
import { createProgram } from '../../src/command-line/program.ts'

function parse(...argv: string[]): Invocation {
  let found: Invocation | undefined
  const program = createProgram(
    { out: () => {}, err: () => {}, color: false },
    invocation => (found = invocation),
  )
  program.parse(argv, { from: 'user' })
  return found!
}

describe('run', () => {
  test('takes a script, words and every flag, with a space or an equals sign', () => {
    const flags = [
      '--concurrency=4',
      '--budget',
      '1000',
      '--max-agents',
      '7',
      '--script-cpu-ms=50',
      '--script-memory-mib',
      '64',
      '--budget-tokens=2000',
      '--budget-cost',
      '2.5',
      '--budget-time=1h30m',
    ]
    const more = ['--backend', 'scripted:t.json', '--model=m', '--cache', 'never', '--dialect=claude-code']
    const rest = ['--settings={}', '--allow-shell', '--json', '--quiet', '--trust-project', '--auto-resume']
    const rules = [
      '--allowed-tools',
      'Read',
      '--allowed-tools=Bash(npm test:*),Edit',
      '--disallowed-tools',
      'Bash(rm:*)',
    ]
    const permissions = [...rules, '--permission-mode', 'plan']
    const session = '00000000-0000-4000-8000-0000000000AB'
    expect(
      parse('run', 'a.js', 'x=1', ...flags, ...more, ...rest, ...permissions, '--session', session, 'y=2'),
    ).toEqual({
      command: 'run',
      script: 'a.js',
      pairs: ['x=1', 'y=2'],
      options: {
        concurrency: 4,
        budget: 1000,
        budgetTokens: 2000,
        budgetCost: 2.5,
        budgetTime: 5_400_000,
        trustProject: true,
        autoResume: true,
        maxAgents: 7,
        scriptCpuMs: 50,
        scriptMemoryMib: 64,
        backend: 'scripted:t.json',
        model: 'm',
        cache: 'never',
        dialect: 'claude-code',
        settings: '{}',
        allowShell: true,
        json: true,
        quiet: true,
        permissionMode: 'plan',
        allowedTools: ['Read', 'Bash(npm test:*),Edit'],
        disallowedTools: ['Bash(rm:*)'],
        session: session.toLowerCase(),
      },
    })
  })

  test('colour is undecided unless a flag says so, before or after the command', () => {
    expect(parse('run', 'a.js').options.color).toBeUndefined()
    expect(parse('run', 'a.js', '--no-color').options.color).toBe(false)
    expect(parse('--color', 'run', 'a.js').options.color).toBe(true)
  })

  test.each([
    [['run'], 'missing required argument'],
    [['run', 'a.js', '--nope'], "unknown option '--nope'"],
    [['run', 'a.js', '--concurrency', '0'], '--concurrency must be a whole number of at least 1, not "0"'],
    [['run', 'a.js', '--budget', '1e3'], '--budget must be a whole number'],
    [['run', 'a.js', '--cache', 'sometimes'], 'Allowed choices are auto, content, never'],
    [['run', 'a.js', '--dialect', 'french'], 'Allowed choices are auto, codebuddy, claude-code'],
    [['run', 'a.js', '--session', 'x'], '--session must be a UUID, not "x"'],
    [['run', 'a.js', '--json', '--stream-json'], 'cannot be used with option'],
    [['run', 'a.js', '--args', '1', '--args-file', 'f'], 'cannot be used with option'],
  ])('%j is refused', (argv, message) => {
    expect(() => parse(...argv)).toThrow(message)
  })
})

test('resume takes a run, or none', () => {
  expect(parse('resume')).toMatchObject({ command: 'resume', options: {} })
  expect(parse('resume', 'wf_1', '--script', 'b.js')).toEqual({
    command: 'resume',
    runId: 'wf_1',
    pairs: [],
    options: { script: 'b.js' },
  })
})

test('resume and fork take new arguments as words; resume also without a run', () => {
  expect(parse('resume', 'wf_1', 'x=1')).toMatchObject({ runId: 'wf_1', pairs: ['x=1'] })
  const last = parse('resume', 'x=1', 'y=2')
  expect(last).toMatchObject({ command: 'resume', pairs: ['x=1', 'y=2'] })
  expect(last).not.toHaveProperty('runId')
  expect(parse('fork', 'wf_1', 'x=1')).toMatchObject({ runId: 'wf_1', pairs: ['x=1'] })
})

test('none lifts each budget', () => {
  const argv = ['--budget', 'none', '--budget-tokens=none', '--budget-cost', 'none', '--budget-time=none']
  expect(parse('run', 'a.js', ...argv).options).toEqual({
    budget: 'none',
    budgetTokens: 'none',
    budgetCost: 'none',
    budgetTime: 'none',
  })
})

test.each([
  [['check', 'a.js', 'b.js'], { command: 'check', files: ['a.js', 'b.js'], options: {} }],
  [['ls', '--workflows', '--json'], { command: 'ls', options: { workflows: true, json: true } }],
  [['show', '--result'], { command: 'show', options: { result: true } }],
  [['stop', 'wf_1'], { command: 'stop', runId: 'wf_1', options: {} }],
  [['config', 'tutti.backend'], { command: 'config', key: 'tutti.backend', options: {} }],
  [['completion', 'fish'], { command: 'completion', shell: 'fish', options: {} }],
])('%j is understood', (argv, expected) => {
  expect(parse(...argv)).toMatchObject(expected)
})

test('show shows one part at a time', () => {
  expect(() => parse('show', '--result', '--journal')).toThrow('cannot be used with option')
})

test('every command has examples in its help', () => {
  const program = createProgram({ out: () => {}, err: () => {}, color: false }, () => {})
  for (const command of program.commands) {
    let help = ''
    command.configureOutput({ writeOut: text => (help += text) })
    command.outputHelp()
    expect(help, command.name()).toContain('Examples:\n  ')
  }
})

test('the overview fits into 80 columns', () => {
  let help = ''
  const program = createProgram(
    { out: text => (help += text), err: () => {}, columns: 80, color: false },
    () => {},
  )
  program.outputHelp()
  const lines = help.slice(0, help.indexOf('Examples:')).split('\n')
  expect(Math.max(...lines.map(line => line.length))).toBeLessThanOrEqual(80)
})
