import { Argument, Command, Option } from 'commander'
import { EXAMPLES } from './examples.ts'
import { executionOptions } from './execution-options.ts'
import type { Invocation, WorktreeAction } from './invocation.ts'
import { callReference, duration, sessionId } from './option-values.ts'

export interface ProgramOutput {
  out(text: string): void
  err(text: string): void
  columns?: number
  color: boolean
}

/** The grammar of the command line. `onInvocation` gets what was asked for; nothing runs here. */
export function createProgram(
  output: ProgramOutput,
  onInvocation: (invocation: Invocation) => void,
): Command {
  const program = new Command('tutti')
    .description('Run multi-agent workflows: a small script says which agents work on what.')
    .option('--color', 'colours, also when it is no terminal')
    .option('--no-color', 'no colours')
    .exitOverride()
    .configureHelp({ subcommandTerm: command => `${command.name()} ${argumentsOf(command)}`.trim() })
    .configureOutput({
      writeOut: output.out,
      writeErr: output.err,
      outputError: () => {},
      getOutHelpWidth: () => output.columns ?? 80,
      getErrHelpWidth: () => output.columns ?? 80,
      getOutHasColors: () => output.color,
      getErrHasColors: () => output.color,
    })
    .helpCommand('help [command]', 'explain a command')
    .helpOption('-h, --help', 'explain')
    .showSuggestionAfterError()
  withExamples(program, 'tutti')
  program.addHelpText('after', SESSIONS)

  /** Commander hands over the words, the options and last the command; the command knows it all. */
  const asked =
    (make: (command: Command) => Invocation) =>
    (...given: unknown[]): void =>
      onInvocation(make(given.at(-1) as Command))
  const add = (name: string, description: string): Command =>
    withExamples(program.command(name).description(description).helpOption('-h, --help', 'explain'), name)

  executionOptions(add('run', 'Run a workflow script, or a saved workflow by its name.'))
    .argument('<file|name>', 'a script file, or the name of a saved workflow')
    .argument('[key=value...]', 'arguments of the script')
    .option('--session <id>', 'session the run belongs to (a UUID)', sessionId)
    .option('--reuse <run>', 'take over results of another run, of other products too: its path, or its id')
    .addOption(
      new Option('--plan', 'only tell what the run would ask for').conflicts([
        'streamJson',
        'autoResume',
        'reuse',
      ]),
    )
    .action(
      asked(command => ({
        command: 'run',
        script: command.args[0] ?? '',
        pairs: command.args.slice(1),
        options: command.optsWithGlobals(),
      })),
    )
  executionOptions(add('resume', 'Go on with a run: finished agents keep their results and cost nothing.'))
    .argument('[runId]', 'default: the last run of this project')
    .argument('[key=value...]', 'new arguments of the script')
    .option('--script <file>', 'a changed script')
    .addOption(dryRunOption())
    .action(
      asked(command => ({
        command: 'resume',
        ...resumeWords(command.args),
        options: command.optsWithGlobals(),
      })),
    )
  executionOptions(add('retry', 'Go on with a run, and let one of its agents work again.'))
    .argument('<runId>', 'the run')
    .argument('<call>', 'the agent: its label or number')
    .option('--continue', 'go on with its own conversation instead of beginning anew')
    .addOption(dryRunOption())
    .action(
      asked(command => ({
        command: 'retry',
        runId: command.args[0] ?? '',
        call: callReference('<call>')(command.args[1] ?? ''),
        options: command.optsWithGlobals(),
      })),
    )
  executionOptions(add('fork', 'Start a new run from the results of another one, which stays as it is.'))
    .argument('<runId>', 'the run to start from')
    .argument('[key=value...]', 'new arguments of the script')
    .option('--at <call>', 'the first call that runs anew: its label or number', callReference('--at'))
    .option('--script <file>', 'a changed script')
    .action(
      asked(command => ({
        command: 'fork',
        runId: command.args[0] ?? '',
        pairs: command.args.slice(1),
        options: command.optsWithGlobals(),
      })),
    )
  add('diff', 'Compare two runs: scripts, arguments, calls, results.')
    .argument('<runA>', 'a run')
    .argument('<runB>', 'another one')
    .option('--json', 'as JSON')
    .action(
      asked(command => ({
        command: 'diff',
        runIds: [command.args[0] ?? '', command.args[1] ?? ''],
        options: command.optsWithGlobals(),
      })),
    )
  add('check', 'Check scripts without running them.')
    .argument('<file...>', 'script files')
    .option('--json', 'findings as JSON')
    .action(asked(command => ({ command: 'check', files: command.args, options: command.optsWithGlobals() })))
  add('ls', 'List the runs of this project, newest first.')
    .option('--workflows', 'list saved workflows instead')
    .option('--all', 'all of them, not only the last 20')
    .option('--json', 'as JSON')
    .action(asked(command => ({ command: 'ls', options: command.optsWithGlobals() })))
  add('show', 'Show a run: state, agents, failures, files.')
    .argument('[runId]', 'default: the last run of this project')
    .addOption(new Option('--result', 'only the result').conflicts(['journal', 'script']))
    .addOption(new Option('--journal', 'only the journal').conflicts(['result', 'script']))
    .addOption(new Option('--script', 'only the script as it was run').conflicts(['result', 'journal']))
    .option('--json', 'as JSON')
    .action(
      asked(command => ({ command: 'show', runId: command.args[0], options: command.optsWithGlobals() })),
    )
  add('stop', 'Stop a run that goes on in another process of this machine.')
    .argument('<runId>', 'the run')
    .option('--json', 'errors as JSON')
    .action(
      asked(command => ({
        command: 'stop',
        runId: command.args[0] ?? '',
        options: command.optsWithGlobals(),
      })),
    )
  add('prune', 'Remove runs of this project that ended long ago, with their files.')
    .requiredOption('--older-than <duration>', 'for example 30d', duration('--older-than'))
    .option('--dry-run', 'only tell what would go')
    .option('--json', 'as JSON')
    .action(asked(command => ({ command: 'prune', options: command.optsWithGlobals() })))
  add('config', 'Show settings as they are in effect, and where they come from.')
    .argument('[key]', 'for example tutti.concurrency')
    .option('--settings <file|json>', 'more settings')
    .option('--trust-project', "as with the project's own settings trusted")
    .option('--json', 'as JSON')
    .action(
      asked(command => ({ command: 'config', key: command.args[0], options: command.optsWithGlobals() })),
    )
  add('doctor', 'Tell which backends can be used here, and what to do next.')
    .option('--settings <file|json>', 'more settings')
    .option('--trust-project', "as with the project's own settings trusted")
    .option('--json', 'as JSON')
    .action(asked(command => ({ command: 'doctor', options: command.optsWithGlobals() })))
  add('agents', 'List the agent types that scripts can name.')
    .option('--json', 'as JSON')
    .action(asked(command => ({ command: 'agents', options: command.optsWithGlobals() })))
  add('worktrees', 'List, compare, merge and remove the worktrees that agents left their changes in.')
    .addArgument(
      new Argument('[action]', 'what to do: list, show changes, merge, remove')
        .choices(['ls', 'diff', 'merge', 'rm'])
        .default('ls'),
    )
    .argument('[name...]', 'which ones, by the names of the list')
    .option('--all', 'all of them')
    .option('--dry-run', 'only tell what merging would do')
    .option('--force', 'remove also what is in no commit')
    .option('--json', 'as JSON')
    .action(
      asked(command => ({
        command: 'worktrees',
        action: (command.args[0] ?? 'ls') as WorktreeAction,
        names: command.args.slice(1),
        options: command.optsWithGlobals(),
      })),
    )
  add('completion', 'Print a completion script for a shell.')
    .argument('<shell>', 'bash, zsh or fish')
    .action(
      asked(command => ({
        command: 'completion',
        shell: command.args[0] ?? '',
        options: command.optsWithGlobals(),
      })),
    )
  // Of the commands there are better suggestions; the commands made above keep this for their options.
  return program.showSuggestionAfterError(false)
}

const SESSIONS = `
Sessions:
  tutti -p [flags] <prompt>                     answers one prompt, of the words or standard input
  tutti --input-format stream-json --output-format stream-json [flags]
                                                speaks the stream-json protocol with a program
  Their flags are those of other agent programs (--model, --permission-mode, --allowedTools, --resume,
  --max-turns, --output-format json …): docs/cli.md has them all.`

function dryRunOption(): Option {
  const option = new Option('--dry-run', 'only tell what would run again, and why')
  return option.conflicts(['streamJson', 'autoResume'])
}

/** The run may be left out also before `key=value` words. */
function resumeWords(words: string[]): { runId?: string; pairs: string[] } {
  const [first, ...rest] = words
  return first === undefined || first.includes('=') ? { pairs: words } : { runId: first, pairs: rest }
}

function argumentsOf(command: Command): string {
  return command.usage().replace('[options]', '').trim()
}

function withExamples(command: Command, name: string): Command {
  const lines = (EXAMPLES[name] ?? []).map(example => `  ${example}`)
  return lines.length === 0 ? command : command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`)
}
