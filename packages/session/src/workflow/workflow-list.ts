import { boundLabel, type CommandInfo } from '@tutti/protocol'
import type { SavedWorkflow } from '@tutti/storage'
import { runningLine } from './task-text.ts'
import type { RunningTask } from './session-runs.ts'
import { oneLine } from './one-line.ts'

const SOURCES = { project: 'of this project', user: 'yours', bundled: 'built in' } as const

/** The workflows that a name stands for. */
export function usable(all: readonly SavedWorkflow[]): SavedWorkflow[] {
  return all.filter(({ error, shadowedBy }) => error === undefined && shadowedBy === undefined)
}

/** A saved workflow as a command. */
export function commandOf({ name, description = '', whenToUse }: SavedWorkflow): CommandInfo {
  const when = whenToUse === undefined ? '' : ` ${whenToUse}`
  return { name, description: oneLine(`${description}${when}`), argumentHint: '[args]' }
}

/** What `/workflows` answers: saved ones, files that cannot be run, and what runs. */
export function workflowListText(all: readonly SavedWorkflow[], running: readonly RunningTask[]): string {
  const saved = all.filter(({ error }) => error === undefined)
  const broken = all.filter(({ error }) => error !== undefined)
  const parts = [
    saved.length === 0
      ? 'No workflow is saved. Files *.js in .claude/workflows of the project, or in the workflows folder of your settings, are.'
      : ['Saved workflows, started with /<name> [args]:', ...saved.map(savedLine)].join('\n'),
    broken.length === 0
      ? ''
      : [
          'Cannot be run:',
          ...broken.map(({ path, name, error = '' }) => `- ${oneLine(path ?? name)}: ${oneLine(error)}`),
        ].join('\n'),
    running.length === 0 ? '' : ['Running now:', ...running.map(task => `- ${runningLine(task)}`)].join('\n'),
  ]
  return parts.filter(part => part !== '').join('\n\n')
}

function savedLine({ name, description = '', whenToUse, source, path, shadowedBy }: SavedWorkflow): string {
  const when = whenToUse === undefined ? '' : ` When: ${oneLine(whenToUse)}`
  const place = path === undefined ? SOURCES[source] : `${SOURCES[source]}, ${oneLine(path)}`
  const hidden = shadowedBy === undefined ? '' : `; not used, ${oneLine(shadowedBy)} has the same name`
  return `- ${boundLabel(name)}: ${oneLine(description)}${when} (${place}${hidden})`
}
