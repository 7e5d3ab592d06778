/** A prompt that looks like a command. */
export interface SlashCommand {
  name: string
  /** What follows the name, as it was typed. */
  rest: string
}

const COMMAND = /^\s*\/([A-Za-z0-9._-]{1,64})(?=\s|$)([\s\S]*)$/

/** Undefined for a prompt that is no command, such as one that begins with a path. */
export function parseSlashCommand(prompt: string): SlashCommand | undefined {
  const [, name, rest] = COMMAND.exec(prompt) ?? []
  return name === undefined || rest === undefined ? undefined : { name, rest: rest.trim() }
}
