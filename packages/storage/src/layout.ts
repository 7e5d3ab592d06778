import { dirname, join, resolve } from 'node:path'
import {
  FOREIGN_RUN_ID_PATTERN,
  RUN_ID_PATTERN,
  SESSION_ID_PATTERN,
  TRANSCRIPT_ID_PATTERN,
} from '@tutti/protocol'
import { WorkflowInputError } from '@tutti/runtime'

// Everything that knows where files are. No other module builds a path below the root, and every id is
// checked here before it becomes part of one.

/** `session`: ours. `claude-code`: where dashboards of Claude Code look. */
export type LayoutName = 'session' | 'claude-code'

export const LAYOUTS: readonly LayoutName[] = ['session', 'claude-code']

/** Absolute paths of one run. */
export interface RunPaths {
  layout: LayoutName
  sessionDirectory: string
  record: string
  output: string
  journal: string
  lock: string
  script: string
  /** Directory of the transcripts. */
  transcripts: string
  /** Directory of the large results. */
  blobs: string
}

/** Where one run is. */
export interface RunPlace {
  sessionDirectory: string
  runId: string
  layout: LayoutName
  /** Part of the script's file name in the layout `claude-code`. */
  scriptName?: string
}

const SCRIPT_NAME_PATTERN = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,64}$/
const MAX_RUN_ID = 80
const HASH_PATTERN = /^[0-9a-f]{64}$/

/** The absolute working directory with every character outside `[A-Za-z0-9]` replaced by `-`. */
export function projectSlug(cwd: string): string {
  return resolve(cwd).replaceAll(/[^A-Za-z0-9]/g, '-')
}

export function projectDirectory(root: string, cwd: string): string {
  return join(root, 'projects', projectSlug(cwd))
}

/** The project of the working directory, then those of its parents. */
export function projectDirectories(root: string, cwd: string): string[] {
  const directories: string[] = []
  for (let path = resolve(cwd); ; path = dirname(path)) {
    directories.push(projectDirectory(root, path))
    if (dirname(path) === path) return directories
  }
}

export function sessionDirectory(project: string, sessionId: string): string {
  return join(project, checked(SESSION_ID_PATTERN, sessionId, 'session id'))
}

export function isSessionId(text: string): boolean {
  return SESSION_ID_PATTERN.test(text)
}

/** An id of ours, or one that another product gave. */
export function isRunId(text: string): boolean {
  return RUN_ID_PATTERN.test(text) || (text.length <= MAX_RUN_ID && FOREIGN_RUN_ID_PATTERN.test(text))
}

/** Throws WorkflowInputError `option-invalid` for an id that must not become part of a path. */
export function runPaths(place: RunPlace): RunPaths {
  if (!isRunId(place.runId)) throw invalid(place.runId, 'run id')
  return place.layout === 'session' ? sessionLayout(place) : claudeCodeLayout(place)
}

export function blobPath(paths: RunPaths, hash: string): string {
  return join(paths.blobs, `${checked(HASH_PATTERN, hash, 'sha256')}.json`)
}

export function transcriptPaths(paths: RunPaths, transcriptId: string): { lines: string; meta: string } {
  const name = `agent-${checked(TRANSCRIPT_ID_PATTERN, transcriptId, 'transcript id')}`
  return {
    lines: join(paths.transcripts, `${name}.jsonl`),
    meta: join(paths.transcripts, `${name}.meta.json`),
  }
}

/** Where the records of a session are, per layout: the directory to list and the run id of an entry. */
export function recordIndex(
  session: string,
  layout: LayoutName,
): { directory: string; runIdOf(entry: string): string | undefined } {
  const ofId = (id: string | undefined): string | undefined => (id && isRunId(id) ? id : undefined)
  return layout === 'session'
    ? { directory: session, runIdOf: entry => ofId(/^(wf_[a-z0-9-]+)\.json$/.exec(entry)?.[1]) }
    : { directory: join(session, 'subagents', 'workflows'), runIdOf: ofId }
}

function sessionLayout({ sessionDirectory: session, runId }: RunPlace): RunPaths {
  const transcripts = join(session, 'subagents', 'workflows', runId)
  return {
    layout: 'session',
    sessionDirectory: session,
    record: join(session, `${runId}.json`),
    output: join(session, `${runId}.output.json`),
    journal: join(session, `${runId}.journal.jsonl`),
    lock: join(session, `${runId}.lock`),
    script: join(session, 'scripts', `${runId}.js`),
    transcripts,
    blobs: join(transcripts, 'results'),
  }
}

function claudeCodeLayout({ sessionDirectory: session, runId, scriptName = 'workflow' }: RunPlace): RunPaths {
  const transcripts = join(session, 'subagents', 'workflows', runId)
  const name = checked(SCRIPT_NAME_PATTERN, scriptName, 'script name')
  return {
    layout: 'claude-code',
    sessionDirectory: session,
    record: join(transcripts, 'state.json'),
    output: join(transcripts, 'output.json'),
    journal: join(transcripts, 'journal.jsonl'),
    lock: join(session, 'workflows', `${runId}.lock`),
    script: join(session, 'workflows', 'scripts', `${name}-${runId}.js`),
    transcripts,
    blobs: join(transcripts, 'results'),
  }
}

function checked(pattern: RegExp, text: string, what: string): string {
  if (!pattern.test(text)) throw invalid(text, what)
  return text
}

function invalid(text: string, what: string): WorkflowInputError {
  return new WorkflowInputError(
    'option-invalid',
    `${JSON.stringify(text.slice(0, 80))} is not a valid ${what}: it cannot become part of a file name.`,
  )
}
