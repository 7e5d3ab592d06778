import { basename } from 'node:path'
import type { JsonValue, RunRecord, WorkflowMeta, WorkflowToolInput } from '@tutti/protocol'
import {
  checkScript,
  formatFindings,
  prepareArgs,
  WorkflowInputError,
  type Finding,
  type ScriptInput,
} from '@tutti/runtime'
import { findScript, type ScriptSearch } from './find-script.ts'

/** What a call of `Workflow` would run: checked, nothing made yet. */
export interface PlannedLaunch {
  script: ScriptInput
  meta: WorkflowMeta
  /** Of the script's text. */
  hash: string
  /** As the call gives them; a resume takes those of the record otherwise. */
  args: JsonValue | undefined
  /** The run that goes on. */
  resume?: RunRecord
  /** What the model should know besides. */
  notes: string[]
}

const MAX_FINDINGS = 10

/**
 * Finds and checks the script and the args of a launch. Throws WorkflowInputError with the places, and what finding
 * a workflow or a run throws.
 */
export async function planLaunch(input: WorkflowToolInput, search: ScriptSearch): Promise<PlannedLaunch> {
  const run = input.resumeFromRunId === undefined ? undefined : await search.store.load(input.resumeFromRunId)
  const { script, notes } = await findScript(input, search, run)
  const check = checkScript(script.source)
  if (!check.ok) throw refused(check.findings, script.path)
  await prepareArgs(input.args ?? run?.record.args, check.meta)
  return {
    script,
    meta: check.meta,
    hash: check.hash,
    args: input.args,
    notes,
    ...(run !== undefined && { resume: run.record }),
  }
}

function refused(findings: Finding[], path: string | undefined): WorkflowInputError {
  const shown = formatFindings(
    findings.slice(0, MAX_FINDINGS),
    path === undefined ? 'workflow.js' : basename(path),
  )
  const more =
    findings.length > MAX_FINDINGS ? `\n\n… and ${findings.length - MAX_FINDINGS} more findings` : ''
  return new WorkflowInputError(
    'script-invalid',
    `The script cannot run, so nothing was launched${path === undefined ? '' : ` (${path})`}.\n\n${shown}${more}`,
    { hint: 'Mend it and call Workflow again; the tool WorkflowGuide explains the dialect.' },
  )
}
