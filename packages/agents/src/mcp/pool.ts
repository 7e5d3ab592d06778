import type { McpServerSettings } from '@tutti/protocol'
import type { Clock } from '@tutti/runtime'
import type { ProcessGroups } from '../process-groups.ts'
import type { Tool } from '../tools/tool.ts'
import type { McpConnection } from './connection.ts'
import { mcpTool } from './mcp-tool.ts'
import { nameMcpTools } from './tool-name.ts'

export interface McpPoolOptions {
  servers: Record<string, McpServerSettings>
  cwd: string
  env: Record<string, string>
  groups?: ProcessGroups
  clock: Clock
}

/** Connections to servers, shared by agents. */
export interface McpPool {
  /** Connects those that are not connected. They stay so until a few seconds after the last user has left. */
  enter(): Promise<McpVisit>
  /** Ends all connections at once, whoever still uses them. */
  close(): Promise<void>
}

export interface McpVisit {
  /** Sorted by name. */
  tools: Tool[]
  /** Servers that could not be reached, and why. */
  problems: { server: string; reason: string }[]
  leave(): void
}

type Attempt = McpConnection | { reason: string }

const IDLE_MS = 3000

export function createMcpPool(options: McpPoolOptions): McpPool {
  let users = 0
  let attempts: Promise<[string, Attempt][]> | undefined
  let idle: { cancel(): void } | undefined

  async function connectAll(): Promise<[string, Attempt][]> {
    const { connectLasting } = await import('./lasting-connection.ts')
    const { servers, cwd, env, groups } = options
    return Promise.all(
      Object.entries(servers).map(async ([name, server]): Promise<[string, Attempt]> => {
        try {
          return [name, await connectLasting({ name, server, cwd, env, ...(groups && { groups }) })]
        } catch (error) {
          return [name, { reason: error instanceof Error ? error.message : String(error) }]
        }
      }),
    )
  }

  async function closeAll(closing: Promise<[string, Attempt][]>): Promise<void> {
    const connections = (await closing).flatMap(([, attempt]) => ('close' in attempt ? [attempt] : []))
    await Promise.allSettled(connections.map(connection => connection.close()))
  }

  function leave(): void {
    users--
    if (users > 0) return
    idle = options.clock.timer(IDLE_MS, () => {
      const closing = attempts
      attempts = undefined
      if (closing) void closeAll(closing)
    })
  }

  return {
    async close() {
      idle?.cancel()
      const closing = attempts
      attempts = undefined
      if (closing) await closeAll(closing)
    },
    async enter() {
      users++
      idle?.cancel()
      attempts ??= connectAll()
      const found = await attempts
      let here = true
      return {
        tools: toolsOf(found),
        problems: found.flatMap(([server, attempt]) =>
          'reason' in attempt ? [{ server, reason: attempt.reason }] : [],
        ),
        leave() {
          if (here) leave()
          here = false
        },
      }
    },
  }
}

function toolsOf(attempts: [string, Attempt][]): Tool[] {
  const all = attempts.flatMap(([, attempt]) =>
    'tools' in attempt ? attempt.tools.map(info => ({ ...info, from: attempt })) : [],
  )
  return [...nameMcpTools(all)]
    .map(([name, { from, ...info }]) => ({ ...mcpTool(info, from), name }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
