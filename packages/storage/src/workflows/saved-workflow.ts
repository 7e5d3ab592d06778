import { basename } from 'node:path'
import { checkScript } from '@tutti/runtime'
import { readSmallFile } from '../files/read-small-file.ts'

/** Where a saved workflow lies. */
export type WorkflowOrigin = 'project' | 'user' | 'bundled'

/** A workflow of a list. */
export interface SavedWorkflow {
  /** `meta.name`; of a file that does not parse, the name of the file. */
  name: string
  description?: string
  whenToUse?: string
  source: WorkflowOrigin
  /** Absolute; absent for bundled ones. */
  path?: string
  /** Why it cannot be run. */
  error?: string
  /** Path or source of the workflow of the same name that is used instead. */
  shadowedBy?: string
}

/** A saved workflow with its text. */
export interface WorkflowFile extends SavedWorkflow {
  text: string
}

/** No script is longer in characters, and none has more bytes per character than this allows for. */
const MAX_BYTES = 4 * 524_288

/** Reads and checks one file. Never throws: what is wrong is in `error`. */
export async function readWorkflowFile(path: string, source: WorkflowOrigin): Promise<WorkflowFile> {
  const name = basename(path).replace(/\.m?js$/, '')
  try {
    const text = await readSmallFile(path, MAX_BYTES)
    if (text === undefined) return { name, source, path, text: '', error: 'it is gone' }
    return { ...describeWorkflow(text, source, name), path }
  } catch (error) {
    return { name, source, path, text: '', error: (error as Error).message }
  }
}

/** What a list says about a script. `fallback` names one that does not parse. */
export function describeWorkflow(text: string, source: WorkflowOrigin, fallback: string): WorkflowFile {
  const check = checkScript(text)
  if (check.ok) {
    const { name, description, whenToUse } = check.meta
    return { name, description, ...(whenToUse === undefined ? {} : { whenToUse }), source, text }
  }
  const first = check.findings.find(finding => finding.severity === 'error') ?? check.findings[0]
  const error = first ? `line ${first.line}: ${first.message}` : 'it is not a workflow script'
  return { name: fallback, source, text, error }
}
