import { realpath } from 'node:fs/promises'
import type { PermissionSettings } from '@tutti/protocol'
import type { AgentCall, AgentContext, Clock } from '@tutti/runtime'
import type { Stage } from '../execution.ts'
import { createGatekeeper } from '../permission/gatekeeper.ts'
import { createPolicy } from '../permission/policy.ts'
import type { ProcessGroups } from '../process-groups.ts'
import type { McpPool } from '../mcp/pool.ts'
import { chosenServers, type McpChoice } from '../mcp/servers.ts'
import { withoutSecrets } from '../shell/environment.ts'
import { workingDirectory } from '../shell/working-directory.ts'
import { createKit, type Kit } from './kit.ts'
import { projectInstructions } from './project-instructions.ts'
import { createSpill } from './spill.ts'
import { allowedTools, BUILT_IN_TOOLS } from './toolbox.ts'
import type { Workplace } from './workplace.ts'

/** Where agents work and what they may do there. */
export interface Workspace {
  projectRoot: string
  /** Passed to commands without what looks like a secret. */
  env: Record<string, string | undefined>
  permissions?: PermissionSettings
  /** Told of every command that runs. */
  groups?: ProcessGroups
  /** Servers of tools. */
  mcp?: McpChoice
  /** How long a question about a permission waits for its answer. Default five minutes. */
  askMs?: number
}

export interface Opening {
  call: AgentCall
  context: AgentContext
  stage: Stage
}

/** Equips agents. */
export interface Workshop {
  open(opening: Opening): Promise<Kit | { refused: string; escapes: boolean }>
}

const ASK_MS = 5 * 60 * 1000

/** Throws WorkflowInputError `settings-invalid` for rules that cannot be read. */
export async function openWorkshop(workspace: Workspace, clock: Clock): Promise<Workshop> {
  const root = await realpath(workspace.projectRoot)
  const policy = createPolicy(root, workspace.permissions)
  const env = withoutSecrets(workspace.env)
  const servers = await openServers({ root, env, workspace, clock })

  return {
    async open({ call, context, stage }) {
      const place = await workingDirectory(root, call.cwd)
      if ('refused' in place) return place
      const workplace: Workplace = {
        root,
        cwd: place.path,
        env,
        spill: createSpill(),
        clock,
        signal: stage.signal,
        ...(workspace.groups && { groups: workspace.groups }),
        seen: new Map(),
        todos: [],
        isHidden: policy.hides,
        alive: () => stage.emit({ type: 'activity' }),
      }
      const { signal, emit } = stage
      const askMs = workspace.askMs ?? ASK_MS
      const background = await backgroundOf(root, place.path)
      const visit = wantsServers(call) ? await servers.pool?.enter() : undefined
      for (const { server, reason } of [...servers.problems, ...(visit?.problems ?? [])])
        context.transcript({ type: 'system', subtype: 'mcp_unavailable', server, reason })
      const tools = [...BUILT_IN_TOOLS, ...(visit?.tools ?? [])]
      return createKit({
        tools: allowedTools(tools, call).filter(({ name }) => !policy.removes(name)),
        ...(visit && { leave: visit.leave }),
        background,
        workplace,
        gatekeeper: createGatekeeper({ policy, context, clock, askMs, signal, emit }),
        emit,
      })
    },
  }
}

interface Servers {
  pool?: McpPool
  problems: { server: string; reason: string }[]
}

/** Nothing is loaded or started where no server is chosen. */
async function openServers(given: {
  root: string
  env: Record<string, string>
  workspace: Workspace
  clock: Clock
}): Promise<Servers> {
  const { root, env, workspace, clock } = given
  if (!workspace.mcp) return { problems: [] }
  const { servers, problem } = await chosenServers(root, workspace.mcp, workspace.env)
  const problems = problem === undefined ? [] : [{ server: '.mcp.json', reason: problem }]
  if (Object.keys(servers).length === 0) return { problems }
  const { createMcpPool } = await import('../mcp/pool.ts')
  const { groups } = workspace
  return { pool: createMcpPool({ servers, cwd: root, env, clock, ...(groups && { groups }) }), problems }
}

/** Lists that name no tool of a server leave all of them out. */
function wantsServers({ agentType, tools }: AgentCall): boolean {
  return [agentType.tools, tools].every(
    list => list === undefined || list.some(name => name === '*' || name.startsWith('mcp__')),
  )
}

async function backgroundOf(root: string, cwd: string): Promise<string> {
  const place = `Project: ${root}\nWorking directory: ${cwd}\nPlatform: ${process.platform}`
  return [await projectInstructions(root, cwd), place].filter(text => text !== '').join('\n\n')
}
