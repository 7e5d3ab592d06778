import type { Command, CommanderError } from 'commander'
import type { Invocation } from './command-line/invocation.ts'
import { nearName } from './command-line/near-name.ts'
import { EXIT } from './exit-code.ts'
import type { Io } from './io.ts'
import { startsSession } from './session/starts-session.ts'
import { createTerminal, exitCodeOfError, type Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'
import { wantsColor } from './render/colors.ts'
import { VERSION } from './version.ts'

/** Runs one command line (without the program's name) and resolves to the exit code. Never rejects. */
export async function main(argv: string[], io: Io): Promise<number> {
  // A reader that goes away is noticed where something is written; it must not end the process.
  io.stdout.on('error', () => {})
  io.stderr.on('error', () => {})
  let terminal = createTerminal(io, { color: colorFlag(argv), json: argv.includes('--json') })
  try {
    if (startsSession(argv)) {
      const help = async (): Promise<number> => Number(await parse(['--help'], io))
      return await (await import('./session/session-program.ts')).runSession(argv, { io, terminal, help })
    }
    const parsed = await parse(argv, io)
    if (typeof parsed === 'number') return parsed
    const { options } = parsed.invocation
    terminal = createTerminal(io, { color: options.color, json: 'json' in options && options.json === true })
    return await execute(parsed, { io, terminal })
  } catch (error) {
    terminal.error(error)
    return exitCodeOfError(error)
  }
}

interface Parsed {
  invocation: Invocation
  program: Command
}

/** What was asked for, or the exit code when help or the version was all. Throws UsageError. */
async function parse(argv: string[], io: Io): Promise<Parsed | number> {
  const [{ CommanderError }, { createProgram }] = await Promise.all([
    import('commander'),
    import('./command-line/program.ts'),
  ])
  let invocation: Invocation | undefined
  const isTty = io.stdout.isTTY === true
  const program = createProgram(
    {
      out: text => void io.stdout.write(text),
      err: text => void io.stderr.write(text),
      color: wantsColor({ env: io.env, isTty, flag: colorFlag(argv) }),
      ...(io.stdout.columns !== undefined && { columns: io.stdout.columns }),
    },
    found => (invocation = found),
  ).version(VERSION, '--version', 'print the version')
  try {
    program.parse(argv, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return EXIT.completed
    if (error.code === 'commander.help') return EXIT.badInput
    throw usageErrorOf(error, argv, program)
  }
  return invocation === undefined ? EXIT.badInput : { invocation, program }
}

/** What commander says, with a hint that leads to the help of the command in question. */
function usageErrorOf(error: CommanderError, argv: string[], program: Parsed['program']): UsageError {
  const message = error.message.replace(/^error: /, '')
  const names = program.commands.map(command => command.name())
  const command = argv.find(word => !word.startsWith('-'))
  if (command === undefined || !names.includes(command)) {
    const near = command === undefined ? undefined : nearName(command, names)
    return new UsageError(message, `${near === undefined ? '' : `Did you mean "${near}"? `}See: tutti --help`)
  }
  if (command === 'fork' && /'--(plan|dry-run)'/.test(message)) {
    return new UsageError(
      message.replace(/\n.*/s, ''),
      'tutti resume <runId> --dry-run with the same flags tells what a fork without --at would run again.',
    )
  }
  return new UsageError(message, `See: tutti ${command} --help`)
}

function colorFlag(argv: string[]): boolean | undefined {
  if (argv.includes('--no-color')) return false
  return argv.includes('--color') ? true : undefined
}

interface Context {
  io: Io
  terminal: Terminal
}

/** Each command is loaded when it is asked for. */
async function execute({ invocation, program }: Parsed, context: Context): Promise<number> {
  switch (invocation.command) {
    case 'run':
      return (await import('./commands/run.ts')).runCommand(invocation, context)
    case 'resume':
      return (await import('./commands/resume.ts')).resumeCommand(invocation, context)
    case 'retry':
      return (await import('./commands/retry.ts')).retryCommand(invocation, context)
    case 'fork':
      return (await import('./commands/fork.ts')).forkCommand(invocation, context)
    case 'diff':
      return (await import('./commands/diff.ts')).diffCommand(invocation, context)
    case 'prune':
      return (await import('./commands/prune.ts')).pruneCommand(invocation.options, context)
    case 'check':
      return (await import('./commands/check.ts')).checkCommand(invocation.files, invocation.options, context)
    case 'ls':
      return (await import('./commands/ls.ts')).listCommand(invocation.options, context)
    case 'show':
      return (await import('./commands/show.ts')).showCommand(invocation, context)
    case 'stop':
      return (await import('./commands/stop.ts')).stopCommand(invocation.runId, context)
    case 'config':
      return (await import('./commands/config.ts')).configCommand(invocation, context)
    case 'doctor':
      return (await import('./commands/doctor.ts')).doctorCommand(invocation.options, context)
    case 'agents':
      return (await import('./commands/agents.ts')).agentsCommand(invocation.options, context)
    case 'worktrees':
      return (await import('./commands/worktrees.ts')).worktreesCommand(invocation, context)
    case 'completion':
      return (await import('./commands/completion.ts')).completionCommand(
        invocation.shell,
        program,
        context.io,
      )
    default:
      return invocation satisfies never
  }
}
