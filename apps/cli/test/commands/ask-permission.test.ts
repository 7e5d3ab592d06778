import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { main } from '../../src/main.ts'
import { createSandboxProject, type SandboxProject } from '../support/sandbox-project.ts'
import { memoryStream, type TestIo } from '../support/test-io.ts'
import { createVirtualTerminal } from '../support/virtual-terminal.ts'

/** Two commands at once, then the first one again. */
const COMMANDS = `export const meta = { name: 'commands', description: 'Runs commands' }
const sh = command => agent(command, { agentType: 'shell', label: command })
const both = await parallel([() => sh('echo one'), () => sh('echo two')])
return [...both, await sh('echo one')]
`

let project: SandboxProject
beforeEach(async () => {
  project = await createSandboxProject({ 'commands.js': COMMANDS })
})
afterEach(() => project.remove())

/** Standard error is where questions are asked; what was asked is kept. */
function terminalIo(
  answers: (string | undefined)[],
  io: TestIo = project.io(),
): TestIo & { prompts: string[] } {
  const prompts: string[] = []
  io.question = async text => {
    prompts.push(typeof text === 'string' ? text : text())
    return answers.shift()
  }
  return Object.assign(io, { prompts })
}

/** One at a time unless said otherwise: which of two that start together asks first is open. */
const run = async (io: TestIo, ...argv: string[]): Promise<unknown> => {
  await main(['run', 'commands.js', '--json', '--backend', 'simulate', '--concurrency', '1', ...argv], io)
  return io.stdout.text() === '' ? undefined : JSON.parse(io.stdout.text())
}

describe('an agent that wants what no rule allows', () => {
  test('asks the person at the terminal, one question after the other', async () => {
    const io = terminalIo(['y', 'n', 'yes'])
    expect(await run(io)).toEqual(['one', null, 'one'])
    expect(io.prompts).toHaveLength(3)
    expect(io.prompts[0]).toMatch(
      /^ {2}y yes · n no · a always in this run: this command \(5m 00s left(, 1 more waiting)?\) > $/,
    )
    expect(io.stderr.text()).toContain(
      '? echo one wants to use Bash:\n    echo one\n    no rule allows "echo one"\n',
    )
    expect(io.stderr.text()).toContain('the command was not permitted: denied by the person at the terminal')
  })

  test('waits for its turn while another one is asked about', async () => {
    const io = terminalIo(['y', 'y', 'y'])
    expect(await run(io, '--concurrency', '2')).toEqual(['one', 'two', 'one'])
    expect(io.prompts).toHaveLength(3)
  })

  test('does not ask again about what was allowed for the run', async () => {
    const io = terminalIo(['a', 'n'])
    expect(await run(io)).toEqual(['one', null, 'one'])
    expect(io.prompts).toHaveLength(2)
  })

  test('asks again after what is none of the answers', async () => {
    const io = terminalIo(['perhaps', 'y', 'n', 'n'])
    expect(await run(io)).toEqual(['one', null, null])
    expect(io.stderr.text()).toContain('Type y, n or a')
  })

  test('is denied when the person gives no answer', async () => {
    const io = terminalIo([])
    // Nothing worked at all, so the run has no result.
    expect(await run(io)).toBeUndefined()
    expect(io.stderr.text()).toContain('the person at the terminal gave no answer')
  })

  test('leaves in its transcript what was decided, and by whom', async () => {
    await run(terminalIo(['y', 'n', 'y']))
    const files = (await readdir(project.root, { recursive: true })).filter(name =>
      /agent-\w+\.jsonl$/.test(name),
    )
    const texts = await Promise.all(files.map(file => readFile(join(project.root, file), 'utf8')))
    const rulings = texts.flatMap(text => text.trim().split('\n')).map(line => JSON.parse(line) as object)
    const kept = rulings.filter(line => 'subtype' in line && line.subtype === 'permission')
    expect(kept).toHaveLength(3)
    expect(kept).toContainEqual(expect.objectContaining({ tool: 'Bash', allowed: true, source: 'person' }))
    expect(kept).toContainEqual(expect.objectContaining({ tool: 'Bash', allowed: false, source: 'person' }))
  })

  test.each([['--quiet'], ['--allow-shell'], ['--allowed-tools', 'Bash(echo:*)']])(
    'asks nobody with %s',
    async (...argv) => {
      const io = terminalIo(['y', 'y', 'y'])
      await run(io, ...argv)
      expect(io.prompts).toEqual([])
    },
  )

  test('without a terminal is denied, with the rule that would allow it', async () => {
    const io = project.io()
    expect(await run(io)).toBeUndefined()
    expect(io.stderr.text()).toContain(
      'allow it with a rule such as "Bash(echo one)" under permissions.allow',
    )
  })

  test('may use what a flag allows, unless another one denies it', async () => {
    expect(await run(project.io(), '--allowed-tools', 'Bash(echo one),Bash(echo two)')).toEqual([
      'one',
      'two',
      'one',
    ])
    expect(
      await run(project.io(), '--allowed-tools=Bash(echo:*)', '--disallowed-tools=Bash(echo two)'),
    ).toEqual(['one', null, 'one'])
  })
})

test('the live view gives way to the question, and comes back', async () => {
  const terminal = createVirtualTerminal(100, 24)
  const screens: string[][] = []
  const stderr = {
    ...memoryStream({ isTTY: true, columns: 100, rows: 24 }),
    write: (text: string) => (terminal.write(text), true),
  }
  const io = project.io({ stderr, env: { TERM: 'xterm', NO_COLOR: '1' } })
  io.question = async text => {
    const prompt = typeof text === 'string' ? text : text()
    terminal.write(prompt)
    // Long enough for a frame to be due.
    await new Promise(resolve => setTimeout(resolve, 150))
    screens.push(terminal.screen())
    expect(terminal.cursorHidden).toBe(false)
    terminal.write('y\n')
    return 'y'
  }
  expect(await run(io)).toEqual(['one', 'two', 'one'])
  for (const screen of screens) {
    expect(screen.at(-1)).toMatch(/^ {2}y yes · n no .* > *$/)
    expect(screen.join('\n')).toContain('wants to use Bash:')
    expect(screen.some(line => line.includes(' running'))).toBe(false)
  }
  expect(terminal.screen().join('\n')).toContain('✓ commands completed')
  expect(terminal.cursorHidden).toBe(false)
})
