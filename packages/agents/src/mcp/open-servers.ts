import type { Clock } from '@tutti/runtime'
import type { ProcessGroups } from '../process-groups.ts'
import type { McpPool } from './pool.ts'
import { chosenServers, type McpChoice } from './servers.ts'

export interface ServersOptions {
  root: string
  /** Without secrets. */
  env: Record<string, string>
  workspace: {
    /** What `${NAME}` in settings is looked up in. */
    env: Record<string, string | undefined>
    mcp?: McpChoice
    groups?: ProcessGroups
  }
  clock: Clock
}

/** The servers of a workspace, none of them started yet. */
export interface Servers {
  pool?: McpPool
  /** The same servers once more, started in another place. */
  poolAt?(cwd: string): McpPool
  names: string[]
  problems: { server: string; reason: string }[]
}

/** Nothing is loaded where no server is chosen. */
export async function openServers({ root, env, workspace, clock }: ServersOptions): Promise<Servers> {
  if (!workspace.mcp) return { names: [], problems: [] }
  const { servers, problem } = await chosenServers(root, workspace.mcp, workspace.env)
  const problems = problem === undefined ? [] : [{ server: '.mcp.json', reason: problem }]
  const names = Object.keys(servers)
  if (names.length === 0) return { names, problems }
  const { createMcpPool } = await import('./pool.ts')
  const { groups } = workspace
  const poolAt = (cwd: string): McpPool =>
    createMcpPool({ servers, cwd, env, clock, ...(groups && { groups }) })
  return { pool: poolAt(root), poolAt, names, problems }
}
