import type { AgentRow } from '@tutti/protocol'

/** A message as it came; tests look at the fields they know. */
export type Frame = Record<string, unknown>

export const isResult = (frame: Frame): boolean => frame['type'] === 'result'

export const isSystem =
  (subtype: string): ((frame: Frame) => boolean) =>
  frame =>
    frame['type'] === 'system' && frame['subtype'] === subtype

export const isNotification: (frame: Frame) => boolean = isSystem('task_notification')

/** `init`, `assistant`, `task_updated`, …: what a stream consists of, in order. */
export function kindsOf(frames: Frame[]): string[] {
  return frames.map(({ type, subtype }) => String(type === 'system' ? subtype : type))
}

export function results(frames: Frame[]): Frame[] {
  return frames.filter(isResult)
}

/** The statuses with which tasks were notified, by task id. */
export function notified(frames: Frame[]): Record<string, unknown> {
  return Object.fromEntries(frames.filter(isNotification).map(frame => [frame['task_id'], frame['status']]))
}

export function startedIds(frames: Frame[]): string[] {
  return frames.filter(isSystem('task_started')).map(frame => String(frame['task_id']))
}

/** The agents of a task as they were last shown. */
export function lastRows(frames: Frame[], taskId?: unknown): AgentRow[] {
  const shown = frames.findLast(
    frame =>
      frame['workflow_progress'] !== undefined && (taskId === undefined || frame['task_id'] === taskId),
  )
  return ((shown?.['workflow_progress'] ?? []) as { type: string }[]).filter(
    (row): row is AgentRow => row.type === 'workflow_agent',
  )
}

/** Blocks of one type in all messages. */
export function blocks(frames: Frame[], type: string): Frame[] {
  return frames.flatMap(frame => {
    const content = (frame['message'] as { content?: unknown } | undefined)?.content
    return Array.isArray(content) ? (content as Frame[]).filter(block => block['type'] === type) : []
  })
}
