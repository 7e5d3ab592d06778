import { clip } from '@tutti/protocol'
import type { SessionParts } from '../session-parts.ts'
import type { SessionLoop } from '../turn/session-loop.ts'
import type { Handler } from './control-desk.ts'
import { conversationHandlers } from './conversation-control.ts'
import { initializeHandler } from './initialize.ts'
import { mcpHandlers } from './mcp-control.ts'
import { runHandlers } from './run-control.ts'
import { settingsHandlers } from './settings-control.ts'

/** Every request of a host that this session knows, by subtype. */
export function controlHandlers(parts: SessionParts, loop: SessionLoop): Readonly<Record<string, Handler>> {
  return {
    initialize: initializeHandler(parts, loop),
    ...runHandlers(parts, loop),
    ...conversationHandlers(parts),
    ...mcpHandlers(parts),
    ...settingsHandlers(parts),
  }
}

/** Requests about workflows are the desk's; every other one is unknown. */
export function otherRequests({ desk }: SessionParts): Handler {
  return async request => {
    if (request.subtype.startsWith('x_tutti_')) {
      const answer = await (await desk.open()).control(request)
      if (answer !== undefined) return answer
    }
    throw new Error(`Unsupported control request subtype: ${clip(request.subtype, 60)}`)
  }
}
