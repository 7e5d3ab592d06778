import { basename, dirname, join, resolve } from 'node:path'
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
  /** What dashboards of Claude Code read of a run that has ended; only in their layout. */
  endRecord?: string
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
const FOREIGN_NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/
const TEMPORARY_PATTERN = /^\.(.+)\.[0-9a-f]+\.tmp$/

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

/** Scripts of a project that need not be asked about. */
export function approvedScriptsPath(root: string, cwd: string): string {
  return join(projectDirectory(root, cwd), 'approved-workflows.json')
}

export function sessionDirectory(project: string, sessionId: string): string {
  return join(project, checked(SESSION_ID_PATTERN, sessionId, 'session id'))
}

/** The transcript of a session itself: a file beside the session's folder. */
export function sessionTranscript(project: string, sessionId: string): string {
  return `${sessionDirectory(project, sessionId)}.jsonl`
}

/** The lock of a transcript, beside it. */
export function sessionLock(transcript: string): string {
  return transcript.replace(/\.jsonl$/, '.lock')
}

/** The session a file in a project's folder is the transcript of; undefined for other files. */
export function sessionOfTranscript(entry: string): string | undefined {
  const id = /^(.+)\.jsonl$/.exec(entry)?.[1]
  return id !== undefined && isSessionId(id) ? id : undefined
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

/** Directories that a run needs before its first file is written. */
export function directoriesOf(paths: RunPaths): string[] {
  const all = [dirname(paths.script), dirname(paths.lock), dirname(paths.record)]
  return [...new Set(paths.endRecord === undefined ? all : [...all, dirname(paths.endRecord)])]
}

/** The script copies of a session in the layout `claude-code`: where to look, and which names are a run's. */
export function scriptIndex(
  session: string,
  runId: string,
): { directory: string; nameOf(entry: string): string | undefined } {
  const end = `-${runId}.js`
  return {
    directory: join(session, 'workflows', 'scripts'),
    nameOf(entry) {
      const name = entry.endsWith(end) ? entry.slice(0, -end.length) : ''
      return isScriptName(name) ? name : undefined
    },
  }
}

export function isScriptName(text: string): boolean {
  return SCRIPT_NAME_PATTERN.test(text)
}

/**
 * Temporary files that a killed writer of a run may have left: where to look, and which names. Not those of
 * its lock: they belong to processes that try for the lease at this moment.
 */
export function leftovers(paths: RunPaths): { directory: string; isLeftover(entry: string): boolean }[] {
  const finals = [paths.record, paths.output, paths.script, ...(paths.endRecord ? [paths.endRecord] : [])]
  const named = [...new Set(finals.map(path => dirname(path)))].map(directory => {
    const names = new Set(finals.filter(path => dirname(path) === directory).map(path => basename(path)))
    return { directory, isLeftover: (entry: string) => names.has(TEMPORARY_PATTERN.exec(entry)?.[1] ?? '') }
  })
  return [...named, { directory: paths.blobs, isLeftover: entry => TEMPORARY_PATTERN.test(entry) }]
}

/** What processes that died while they tried for a lock may have left beside it. */
export function lockLeftovers(lock: string): { directory: string; isLeftover(entry: string): boolean } {
  const name = basename(lock)
  return {
    directory: dirname(lock),
    isLeftover: entry =>
      TEMPORARY_PATTERN.exec(entry)?.[1] === name ||
      (entry.startsWith(`${name}.`) && /^\d{1,15}$/.test(entry.slice(name.length + 1))),
  }
}

/** Run ids that a session has in the layout `claude-code`, whoever wrote them: directories and their entries. */
export function foreignIndex(
  session: string,
): { directory: string; runIdOf(entry: string): string | undefined }[] {
  const ofId = (id: string | undefined): string | undefined => (id && isRunId(id) ? id : undefined)
  return [
    {
      directory: join(session, 'workflows'),
      runIdOf: entry => ofId(/^(wf_[a-z0-9-]+)\.json$/.exec(entry)?.[1]),
    },
    { directory: join(session, 'subagents', 'workflows'), runIdOf: ofId },
  ]
}

/** Names of sessions of other products; they need not be UUIDs. */
export function isForeignName(text: string): boolean {
  return FOREIGN_NAME_PATTERN.test(text)
}

/** The id in the name of a transcript; undefined for other files. */
export function transcriptIdOf(entry: string): string | undefined {
  const id = /^agent-(.+)\.jsonl$/.exec(entry)?.[1]
  return id !== undefined && isForeignName(id) ? id : undefined
}

/** Like `transcriptPaths`, for ids that other products gave. */
export function foreignTranscriptPaths(paths: RunPaths, id: string): { lines: string; meta: string } {
  const name = `agent-${checked(FOREIGN_NAME_PATTERN, id, 'transcript id')}`
  return {
    lines: join(paths.transcripts, `${name}.jsonl`),
    meta: join(paths.transcripts, `${name}.meta.json`),
  }
}

/**
 * Which run a path names: its record, its folder or a file in that, or its id below the session's folder.
 * Undefined for anything else; whether it is there is not looked at.
 */
export function runOfPath(path: string): { sessionDirectory: string; runId: string } | undefined {
  const parts = { name: basename(path), parent: dirname(path) }
  const id = parts.name.replace(/\.json$/, '')
  if (isRunId(id)) return { runId: id, sessionDirectory: sessionAbove(parts.parent) }
  const folder = basename(parts.parent)
  if (!isRunId(folder)) return undefined
  return { runId: folder, sessionDirectory: sessionAbove(dirname(parts.parent)) }
}

function sessionAbove(path: string): string {
  if (basename(path) !== 'workflows') return path
  const above = dirname(path)
  return basename(above) === 'subagents' ? dirname(above) : above
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
    lock: join(transcripts, 'run.lock'),
    script: join(session, 'workflows', 'scripts', `${name}-${runId}.js`),
    transcripts,
    blobs: join(transcripts, 'results'),
    endRecord: join(session, 'workflows', `${runId}.json`),
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
