import type { Command, Option } from 'commander'
import { arityOf, SESSION_FLAGS } from '../session/flag-table.ts'
import type { Io } from '../io.ts'
import { EXIT } from '../exit-code.ts'
import { UsageError } from '../usage-error.ts'
import { writeOut } from '../write-out.ts'

/** Prints a completion script made from the grammar of the command line. */
export async function completionCommand(shell: string, program: Command, io: Io): Promise<number> {
  const script = completionScript(shell, commandsOf(program))
  if (script === undefined) throw new UsageError(`no completion for "${shell}"; there is bash, zsh and fish`)
  await writeOut(io.stdout, script)
  return EXIT.completed
}

interface CompletedFlag {
  flag: string
  description: string
  takesValue: boolean
  /** Its values; absent: files. */
  values?: readonly string[]
}

interface CompletedCommand {
  name: string
  description: string
  flags: CompletedFlag[]
  /** What its words are: ids of runs, these, or files. */
  words: 'runs' | 'files' | readonly string[]
}

const SHELLS = ['bash', 'zsh', 'fish'] as const
const TAKE_RUNS: ReadonlySet<string> = new Set(['resume', 'retry', 'fork', 'diff', 'show', 'stop'])
/** Of options that also take other values than these. */
const VALUES: Record<string, readonly string[]> = { '--backend': ['model', 'simulate', 'scripted:'] }

/** Of flags of a session. */
const SESSION_VALUES: Record<string, readonly string[]> = {
  '--input-format': ['text', 'stream-json'],
  '--output-format': ['text', 'json', 'stream-json'],
  '--permission-mode': ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions', 'auto'],
}

/** What a line without a command may hold; the name is a pattern of the shells. */
const SESSION: CompletedCommand = {
  name: '-*',
  description: '',
  words: 'files',
  flags: SESSION_FLAGS.map(name => {
    const flag = `--${name}`
    const values = SESSION_VALUES[flag]
    const takesValue = arityOf(name) !== 'none'
    return { flag, description: 'of a session', takesValue, ...(values !== undefined && { values }) }
  }),
}

function commandsOf(program: Command): CompletedCommand[] {
  return program.commands.map(command => {
    const name = command.name()
    return {
      name,
      description: command.description(),
      words: name === 'completion' ? SHELLS : TAKE_RUNS.has(name) ? 'runs' : 'files',
      flags: [...command.options, ...program.options].flatMap(flagOf),
    }
  })
}

function flagOf(option: Option): CompletedFlag[] {
  const { long, description, argChoices } = option
  if (long === undefined || long === null) return []
  const values = argChoices ?? VALUES[long]
  const takesValue = option.required || option.optional
  return [{ flag: long, description, takesValue, ...(values !== undefined && { values }) }]
}

/** Prints the ids of the runs that the command knows from the current folder. */
const RUN_IDS = `tutti ls --json 2>/dev/null | grep -o '"runId":"[^"]*"' | cut -d '"' -f 4`

function completionScript(shell: string, commands: CompletedCommand[]): string | undefined {
  switch (shell) {
    case 'bash':
      return bash(commands)
    case 'zsh':
      return zsh(commands)
    case 'fish':
      return fish(commands)
    default:
      return undefined
  }
}

function bash(commands: CompletedCommand[]): string {
  const cases = [...commands, SESSION].map(
    ({ name, flags, words }) =>
      `    ${name}) flags="${flags.map(({ flag }) => flag).join(' ')}"; words="${typeof words === 'string' ? words : words.join(' ')}" ;;`,
  )
  const values = new Map(
    [SESSION, ...commands].flatMap(({ flags }) => flags).map(({ flag, values: all }) => [flag, all]),
  )
  const valueCases = [...values].flatMap(([flag, all]) =>
    all === undefined
      ? []
      : [`    ${flag}) COMPREPLY=($(compgen -W "${all.join(' ')}" -- "$current")); return ;;`],
  )
  return `# bash completion for tutti: source <(tutti completion bash)
_tutti_runs() {
  ${RUN_IDS}
}
_tutti() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" flags words
  # An equals sign is a word of its own.
  if [ "$current" = "=" ]; then current=""; elif [ "$previous" = "=" ]; then previous="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')} ${SESSION.flags.map(({ flag }) => flag).join(' ')}" -- "$current"))
    return
  fi
  case "$previous" in
${valueCases.join('\n')}
  esac
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    *) flags=""; words="files" ;;
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$current")); return ;;
  esac
  case "$words" in
    runs) COMPREPLY=($(compgen -W "$(_tutti_runs)" -- "$current")) ;;
    files) COMPREPLY=($(compgen -f -- "$current")) ;;
    *) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
  esac
}
complete -o filenames -F _tutti tutti
`
}

function zsh(commands: CompletedCommand[]): string {
  const names = commands.map(({ name, description }) => `    '${name}:${zshText(description)}'`)
  const cases = [...commands, SESSION].map(({ name, flags, words }) => {
    const specs = flags.map(({ flag, description, takesValue, values }) => {
      const action = values === undefined ? '_files' : `(${values.join(' ').replaceAll(':', '\\:')})`
      return `        '${flag}${takesValue ? '=' : ''}[${zshText(description)}]${takesValue ? `:value:${action}` : ''}'`
    })
    const rest =
      words === 'runs'
        ? '*:run:_tutti_runs'
        : words === 'files'
          ? '*:file:_files'
          : `*:word:(${words.join(' ')})`
    return `      ${name})\n        _arguments \\\n${specs.join(' \\\n')} \\\n        '${rest}' ;;`
  })
  return `#compdef tutti
_tutti_runs() {
  local -a runs
  runs=(\${(f)"$(${RUN_IDS})"})
  compadd -V runs -a runs
}
_tutti() {
  local -a commands
  commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )) && [[ "$words[2]" != -* ]]; then
    _describe 'command' commands
    return
  fi
  local command="$words[2]"
  if [[ "$command" != -* ]]; then
    shift words
    (( CURRENT-- ))
  fi
  case "$command" in
${cases.join('\n')}
  esac
}
compdef _tutti tutti
`
}

function fish(commands: CompletedCommand[]): string {
  const lines = commands.flatMap(({ name, description, flags, words }) => {
    const within = `complete -c tutti -n '__fish_seen_subcommand_from ${name}'`
    const own = words === 'runs' ? '(__tutti_runs)' : words === 'files' ? undefined : words.join(' ')
    return [
      `complete -c tutti -n __fish_use_subcommand -a ${name} -d '${quoted(description)}'`,
      ...(own === undefined ? [] : [`${within} -f -a '${own}'`]),
      ...flags.map(flag => `${within} ${fishFlag(flag)}`),
    ]
  })
  const session = SESSION.flags.map(flag => `complete -c tutti -n __fish_use_subcommand ${fishFlag(flag)}`)
  return `# fish completion for tutti
function __tutti_runs
  ${RUN_IDS}
end
${[...lines, ...session].join('\n')}
`
}

function fishFlag({ flag, description, takesValue, values }: CompletedFlag): string {
  const value = values === undefined ? ' -r' : ` -x -a '${values.join(' ')}'`
  return `-l ${flag.slice(2)}${takesValue ? value : ''} -d '${quoted(description)}'`
}

function quoted(text: string): string {
  return text.replaceAll("'", '')
}

/** Brackets and colons have a meaning in zsh's descriptions. */
function zshText(text: string): string {
  return quoted(text).replace(/[[\]:]/g, ' ')
}
