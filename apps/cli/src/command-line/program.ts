import { Command, Option } from 'commander'
import { EXAMPLES } from './examples.ts'
import { sessionId, wholeNumber } from './option-values.ts'

/** What a command is given: its words, then its options together with the global ones. */
export type Invocation =
  | { command: 'run'; script: string; pairs: string[]; options: RunFlags }
  | { command: 'resume'; runId?: string; options: ResumeFlags }
  | { command: 'check'; files: string[]; options: JsonFlags }
  | { command: 'ls'; options: ListFlags }
  | { command: 'show'; runId?: string; options: ShowFlags }
  | { command: 'stop'; runId: string; options: JsonFlags }
  | { command: 'config'; key?: string; options: ConfigFlags }
  | { command: 'completion'; shell: string; options: GlobalFlags }

export interface GlobalFlags {
  /** Undefined unless `--color` or `--no-color` was given. */
  color?: boolean
}

export interface JsonFlags extends GlobalFlags {
  json?: boolean
}

export interface ListFlags extends JsonFlags {
  workflows?: boolean
  all?: boolean
}

export interface ShowFlags extends JsonFlags {
  result?: boolean
  journal?: boolean
  script?: boolean
}

export interface ConfigFlags extends JsonFlags {
  settings?: string
}

/** Flags that `run` and `resume` share. */
export interface ExecutionFlags extends GlobalFlags {
  args?: string
  argsFile?: string
  backend?: string
  model?: string
  concurrency?: number
  budget?: number
  maxAgents?: number
  scriptCpuMs?: number
  scriptMemoryMib?: number
  cache?: 'auto' | 'content' | 'never'
  settings?: string
  allowShell?: boolean
  dialect?: 'auto' | 'codebuddy' | 'claude-code'
  json?: boolean
  streamJson?: boolean
  quiet?: boolean
}

export interface RunFlags extends ExecutionFlags {
  session?: string
}

export interface ResumeFlags extends ExecutionFlags {
  script?: string
}

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
    .option('--script <file>', 'a changed script')
    .action(
      asked(command => ({ command: 'resume', runId: command.args[0], options: command.optsWithGlobals() })),
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
  add('config', 'Show settings as they are in effect, and where they come from.')
    .argument('[key]', 'for example tutti.concurrency')
    .option('--settings <file|json>', 'more settings')
    .option('--json', 'as JSON')
    .action(
      asked(command => ({ command: 'config', key: command.args[0], options: command.optsWithGlobals() })),
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
  return program
}

function executionOptions(command: Command): Command {
  return command
    .addOption(new Option('--args <json>', 'arguments of the script').conflicts('argsFile'))
    .option('--args-file <file>', 'arguments from a JSON file')
    .option(
      '--backend <name>',
      'what runs the agents: model, simulate, scripted:<file>, or one from settings',
    )
    .option('--model <id>', 'default model of the agents')
    .option('--concurrency <n>', 'agents at once', wholeNumber('--concurrency'))
    .option('--budget <n>', 'output tokens for the whole run', wholeNumber('--budget'))
    .option('--max-agents <n>', 'calls per run', wholeNumber('--max-agents'))
    .option('--script-cpu-ms <n>', 'one stretch of script, in ms', wholeNumber('--script-cpu-ms'))
    .option('--script-memory-mib <n>', 'memory of the script, in MiB', wholeNumber('--script-memory-mib'))
    .addOption(
      new Option('--cache <mode>', 'when a recorded result is taken').choices(['auto', 'content', 'never']),
    )
    .option('--settings <file|json>', 'more settings')
    .option('--allow-shell', "let agents of type 'shell' run commands")
    .addOption(
      new Option('--dialect <name>', 'shape of the frames').choices(['auto', 'codebuddy', 'claude-code']),
    )
    .addOption(new Option('--json', 'the result as one line of JSON').conflicts('streamJson'))
    .addOption(new Option('--stream-json', 'frames of the run, one a line, instead of the result'))
    .option('--quiet', 'no progress and no summary')
}

function argumentsOf(command: Command): string {
  return command.usage().replace('[options]', '').trim()
}

function withExamples(command: Command, name: string): Command {
  const lines = (EXAMPLES[name] ?? []).map(example => `  ${example}`)
  return lines.length === 0 ? command : command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`)
}
