import type { Command } from 'commander'
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

interface CompletedCommand {
  name: string
  description: string
  flags: { flag: string; description: string; takesValue: boolean }[]
}

function commandsOf(program: Command): CompletedCommand[] {
  return program.commands.map(command => ({
    name: command.name(),
    description: command.description(),
    flags: [...command.options, ...program.options]
      .filter(option => option.long !== undefined && option.long !== null)
      .map(option => ({
        flag: String(option.long),
        description: option.description,
        takesValue: option.required || option.optional,
      })),
  }))
}

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
  const cases = commands.map(
    ({ name, flags }) => `    ${name}) words="${flags.map(({ flag }) => flag).join(' ')}" ;;`,
  )
  return `# bash completion for tutti: source <(tutti completion bash)
_tutti() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')} --help --version" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    *) words="" ;;
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
    *) COMPREPLY=($(compgen -f -- "$current")) ;;
  esac
}
complete -o filenames -F _tutti tutti
`
}

function zsh(commands: CompletedCommand[]): string {
  const names = commands.map(({ name, description }) => `    '${name}:${zshText(description)}'`)
  const cases = commands.map(({ name, flags }) => {
    const specs = flags.map(
      ({ flag, description, takesValue }) =>
        `        '${flag}${takesValue ? '=' : ''}[${zshText(description)}]${takesValue ? ':value:_files' : ''}'`,
    )
    return `      ${name})\n        _arguments \\\n${specs.join(' \\\n')} \\\n        '*:file:_files' ;;`
  })
  return `#compdef tutti
_tutti() {
  local -a commands
  commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  local command="$words[2]"
  shift words
  (( CURRENT-- ))
  case "$command" in
${cases.join('\n')}
  esac
}
compdef _tutti tutti
`
}

function fish(commands: CompletedCommand[]): string {
  const lines = commands.flatMap(({ name, description, flags }) => [
    `complete -c tutti -n __fish_use_subcommand -a ${name} -d '${quoted(description)}'`,
    ...flags.map(
      ({ flag, description: text, takesValue }) =>
        `complete -c tutti -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)}${takesValue ? ' -r' : ''} -d '${quoted(text)}'`,
    ),
  ])
  return `# fish completion for tutti\n${lines.join('\n')}\n`
}

function quoted(text: string): string {
  return text.replaceAll("'", '')
}

/** Brackets and colons have a meaning in zsh's descriptions. */
function zshText(text: string): string {
  return quoted(text).replace(/[[\]:]/g, ' ')
}
