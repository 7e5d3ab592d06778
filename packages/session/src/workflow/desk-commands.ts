import { boundLabel, type CommandInfo } from '@tutti/protocol'
import { nearest } from '@tutti/runtime'
import type { SavedWorkflow, SavedWorkflows } from '@tutti/storage'
import { parseCommandArgs } from './command-args.ts'
import type { Launcher } from './launcher.ts'
import type { SessionRuns } from './session-runs.ts'
import { oneLine } from './one-line.ts'
import { parseSlashCommand } from './slash-command.ts'
import type { DeskCommand } from './types.ts'
import { commandOf, usable, workflowListText } from './workflow-list.ts'

const OWN: readonly CommandInfo[] = [
  { name: 'workflows', description: 'Saved workflows, and those that run now', argumentHint: '' },
  { name: 'help', description: 'The commands of this session', argumentHint: '' },
]

export interface DeskCommandOptions {
  workflows: Pick<SavedWorkflows, 'list'>
  runs: SessionRuns
  launcher: Launcher
}

/** Our own commands, then saved workflows; one of them that has the name of an own command is left out. */
export async function listCommands({
  workflows,
}: Pick<DeskCommandOptions, 'workflows'>): Promise<CommandInfo[]> {
  const saved = usable(await workflows.list()).filter(({ name }) => !OWN.some(own => own.name === name))
  return [...OWN, ...saved.map(commandOf)]
}

/** What to do about a prompt; undefined when it is for the model. */
export async function findCommand(
  prompt: string,
  options: DeskCommandOptions,
): Promise<DeskCommand | undefined> {
  const command = parseSlashCommand(prompt)
  if (command === undefined) return undefined
  const { name, rest } = command
  if (name === 'help') return { kind: 'answer', text: helpText(await listCommands(options)) }
  const all = await options.workflows.list()
  if (name === 'workflows') return { kind: 'answer', text: workflowListText(all, options.runs.running) }
  // The first of a name counts, as it does for a launch: a broken one is not passed over.
  const saved = all.find(workflow => workflow.name === name)
  if (saved?.error !== undefined) return { kind: 'answer', text: brokenText(saved) }
  if (saved !== undefined) return launchCommand(saved, rest, options.launcher)
  const near = nearest(
    name,
    [...usable(all), ...OWN].map(known => known.name),
  )
  return near === undefined ? undefined : { kind: 'hint', text: nearText(name, near) }
}

function nearText(name: string, near: string): string {
  return `There is no command /${name}; the nearest is /${boundLabel(near)}. If that may have been meant, say so.`
}

function launchCommand({ name }: SavedWorkflow, rest: string, launcher: Launcher): DeskCommand {
  const parsed = parseCommandArgs(rest)
  if (!parsed.ok) return { kind: 'answer', text: `/${name} was not started: ${parsed.message}.` }
  return {
    kind: 'workflow',
    input: { name, ...(parsed.args !== undefined && { args: parsed.args }) },
    run: (input, use) => launcher.launch(input, use),
  }
}

function brokenText({ name, path, error = '' }: SavedWorkflow): string {
  return `/${boundLabel(name)} cannot be run: ${oneLine(path ?? 'its script')}: ${oneLine(error)}`
}

function helpText(commands: readonly CommandInfo[]): string {
  const lines = commands.map(({ name, description, argumentHint }) => {
    const hint = argumentHint === '' ? '' : ` ${argumentHint}`
    return `- /${name}${hint}: ${description}`
  })
  return [
    'Commands:',
    ...lines,
    '',
    'Arguments of a workflow: JSON, key=value words, or any text. Everything else you type goes to the model, which can also write and start a workflow when you ask for one.',
  ].join('\n')
}
