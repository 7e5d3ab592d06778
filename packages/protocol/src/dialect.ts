// The wire speaks two dialects. Frames are made in a neutral form, `codebuddy` plus rows of agents that
// still wait for a slot, and mapped here, purely, just before they are written.
import type { OutFrame } from './control.ts'
import type { TaskProgressFrame, TaskStartedFrame } from './frames.ts'
import type { AgentRow, ProgressRow } from './progress.ts'
import type { DialectSetting } from './settings.ts'

export type Dialect = Exclude<DialectSetting, 'auto'>

/** What a mapping needs to know beside the frame. Leave it out for tasks that are no workflows. */
export interface DialectContext {
  /** `meta.name`. */
  workflowName?: string
  /** Source of the script. */
  script?: string
  /** Transcript of a row's agent; undefined while it has none. */
  transcriptOf?(row: AgentRow): string | undefined
  /** `phase: label` of the latest agent, for frames without a snapshot. */
  activity?: string
}

/** `auto` is `claude-code` when the official Agent SDK started this process, else `codebuddy`. */
export function resolveDialect(
  setting: DialectSetting | undefined,
  env: { readonly [name: string]: string | undefined },
): Dialect {
  if (setting !== undefined && setting !== 'auto') return setting
  return env['CLAUDE_AGENT_SDK_VERSION'] ? 'claude-code' : 'codebuddy'
}

/** The frame in a dialect. Frames that are the same in both are given back as they are. */
export function mapFrame(frame: OutFrame, dialect: Dialect, context: DialectContext = {}): OutFrame {
  if (frame.type !== 'system') return frame
  if (frame.subtype === 'task_started') {
    return dialect === 'claude-code' ? withScript(frame, context) : withoutScript(frame)
  }
  if (frame.subtype !== 'task_progress') return frame
  return dialect === 'claude-code' ? claudeCodeProgress(frame, context) : codebuddyProgress(frame)
}

/** `phase: label` of the agent that gave the last sign of life; undefined without agents. */
export function latestActivity(rows: readonly ProgressRow[]): string | undefined {
  let latest: AgentRow | undefined
  for (const row of rows) {
    if (row.type !== 'workflow_agent') continue
    if (latest === undefined || lastSign(row) >= lastSign(latest)) latest = row
  }
  if (latest === undefined) return undefined
  return latest.phaseTitle === undefined ? latest.label : `${latest.phaseTitle}: ${latest.label}`
}

function lastSign(row: AgentRow): number {
  return row.endedAt ?? row.lastProgressAt ?? row.startedAt ?? row.queuedAt ?? 0
}

function withScript(frame: TaskStartedFrame, context: DialectContext): TaskStartedFrame {
  const { workflowName = frame.workflow_name, script = frame.prompt } = context
  return {
    ...frame,
    ...(workflowName === undefined ? {} : { workflow_name: workflowName }),
    ...(script === undefined ? {} : { prompt: script }),
  }
}

/** Other tasks keep their prompt. */
function withoutScript(frame: TaskStartedFrame): TaskStartedFrame {
  if (frame.task_type !== 'local_workflow' || frame.prompt === undefined) return frame
  const { prompt: _script, ...rest } = frame
  return rest
}

function claudeCodeProgress(frame: TaskProgressFrame, context: DialectContext): TaskProgressFrame {
  const rows = frame.workflow_progress ?? []
  const description = latestActivity(rows) ?? context.activity ?? frame.description
  return withRows(
    { ...frame, description },
    rows.flatMap(row => claudeCodeRow(row, context)),
  )
}

function claudeCodeRow(row: ProgressRow, context: DialectContext): ProgressRow[] {
  if (row.type === 'workflow_log') return []
  if (row.type !== 'workflow_agent') return [row]
  const agentId = context.transcriptOf?.(row) ?? row.agentId
  return [row.state === 'cached' ? { ...row, agentId, state: 'done', cached: true } : { ...row, agentId }]
}

function codebuddyProgress(frame: TaskProgressFrame): TaskProgressFrame {
  return withRows(frame, (frame.workflow_progress ?? []).flatMap(codebuddyRow))
}

/** A row appears when its agent has a slot; what replays never needed one. */
function codebuddyRow(row: ProgressRow): ProgressRow[] {
  if (row.type !== 'workflow_agent' || row.startedAt !== undefined) return [row]
  if (row.state !== 'cached') return []
  const startedAt = row.queuedAt ?? row.endedAt
  return [startedAt === undefined ? row : { ...row, startedAt }]
}

/** A snapshot is never empty. */
function withRows(frame: TaskProgressFrame, rows: ProgressRow[]): TaskProgressFrame {
  const { workflow_progress: _replaced, ...rest } = frame
  return rows.length === 0 ? rest : { ...rest, workflow_progress: rows }
}
