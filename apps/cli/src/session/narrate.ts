import type { OutgoingFrame } from '@tutti/session'
import type { OutFrame } from '@tutti/protocol'

/** One line about a frame for somebody who only sees the result in the end; undefined for most. */
export function narrate(given: OutgoingFrame): string | undefined {
  const frame = given as OutFrame
  if (frame.type === 'result') {
    const tools = frame.permission_denials.map(nameOf).filter(name => name !== undefined)
    if (tools.length === 0) return undefined
    const names = [...new Set(tools)].join(', ')
    return `${tools.length} ${tools.length === 1 ? 'use of a tool was' : 'uses of tools were'} denied: ${names}; --allowedTools and --permission-mode allow more`
  }
  if (frame.type !== 'system') return undefined
  switch (frame.subtype) {
    case 'task_started':
      return `workflow ${frame.workflow_name ?? frame.description} started, task ${frame.task_id}`
    case 'task_notification':
      return frame.summary
    default:
      return undefined
  }
}

function nameOf(denial: unknown): string | undefined {
  const name = (denial as { tool_name?: unknown } | null)?.tool_name
  return typeof name === 'string' ? name : undefined
}
