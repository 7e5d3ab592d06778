import type { WorkflowToolInput } from '@tutti/protocol'
import { JournalError, type ScriptInput, type StoredRun } from '@tutti/runtime'
import type { SavedWorkflows } from '@tutti/storage'
import { findScriptFile, type ScriptPlaces } from './script-place.ts'

export interface ScriptSearch extends ScriptPlaces {
  workflows: Pick<SavedWorkflows, 'list' | 'resolve'>
}

export interface FoundScript {
  script: ScriptInput
  notes: string[]
}

/** The script that an input names: its path, its text, a saved one, or that of the run that goes on. */
export async function findScript(
  input: WorkflowToolInput,
  search: ScriptSearch,
  run: StoredRun | undefined,
): Promise<FoundScript> {
  if (input.scriptPath !== undefined) return byPath(input.scriptPath, search, run)
  if (input.script !== undefined) return { script: { source: input.script }, notes: [] }
  if (input.name !== undefined) {
    const { source } = await search.workflows.resolve({ name: input.name }, undefined)
    return { script: { source }, notes: [] }
  }
  if (run !== undefined) return recorded(run, search)
  throw new Error('an input that names nothing to run was let through')
}

async function byPath(
  scriptPath: string,
  search: ScriptSearch,
  run: StoredRun | undefined,
): Promise<FoundScript> {
  const path = await findScriptFile(scriptPath, search)
  const { source } = await search.workflows.resolve({ scriptPath: path }, undefined)
  // The edited copy of a run that was not started by path is that run's script, no file of its own.
  const ownCopy = run?.record.sourcePath === undefined && run?.locations.script === path
  return { script: ownCopy ? { source } : { source, path }, notes: [] }
}

/**
 * As the runtime would take it: the file it was started from as it is now, else the saved copy. Read here, so that
 * what is checked and asked about is what runs.
 */
async function recorded(run: StoredRun, search: ScriptSearch): Promise<FoundScript> {
  const path = run.record.sourcePath
  if (path === undefined) return { script: { source: savedCopy(run) }, notes: [] }
  try {
    const { source } = await search.workflows.resolve({ scriptPath: path }, undefined)
    return { script: { source, path }, notes: [] }
  } catch {
    const notes = [`${path} can no longer be read: the saved copy of the script runs`]
    return { script: { source: savedCopy(run), path }, notes }
  }
}

function savedCopy({ script, record, locations }: StoredRun): string {
  if (script !== undefined) return script
  throw new JournalError(
    'journal-unreadable',
    `The script of run ${record.runId} cannot be read: its copy ${locations.script} is missing. Nothing was changed.`,
    { hint: 'Give the script anew: resumeFromRunId together with script, name or scriptPath.' },
  )
}
