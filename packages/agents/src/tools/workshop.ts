import { realpath } from 'node:fs/promises'
import type { PermissionSettings } from '@tutti/protocol'
import type { AgentCall, AgentContext, Clock } from '@tutti/runtime'
import type { Stage } from '../execution.ts'
import { createGatekeeper } from '../permission/gatekeeper.ts'
import { createPolicy } from '../permission/policy.ts'
import { policyInTree } from '../permission/policy-in-tree.ts'
import type { ProcessGroups } from '../process-groups.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { openServers, type Servers } from '../mcp/open-servers.ts'
import type { McpVisit } from '../mcp/pool.ts'
import type { McpChoice } from '../mcp/servers.ts'
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
  /** Confines commands. */
  sandbox?: Sandbox
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
  const project = await realpath(workspace.projectRoot)
  const rules = createPolicy(project, workspace.permissions)
  const env = withoutSecrets(workspace.env)
  const servers = await openServers({ root: project, env, workspace, clock })

  return {
    async open({ call, context, stage }) {
      const { projectRoot } = context
      const root = projectRoot === undefined ? project : await realpath(projectRoot)
      const policy = root === project ? rules : policyInTree(rules, { tree: root, project })
      const place = await workingDirectory(root, call.cwd)
      if ('refused' in place) return place
      const { signal, emit } = stage
      const workplace = workplaceOf(workspace, {
        root,
        cwd: place.path,
        env,
        clock,
        signal,
        isHidden: policy.hides,
        alive: () => emit({ type: 'activity' }),
      })
      const askMs = workspace.askMs ?? ASK_MS
      const background = await backgroundOf(root, place.path)
      const visit = wantsServers(call)
        ? await visitServers(servers, root === project ? undefined : root)
        : undefined
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

/** In a checkout of the agent's own, servers of its own: what they do there must not be done in the project. */
async function visitServers(
  { pool, poolAt }: Servers,
  tree: string | undefined,
): Promise<(Omit<McpVisit, 'leave'> & { leave(): void | Promise<void> }) | undefined> {
  if (tree === undefined) return pool?.enter()
  const own = poolAt?.(tree)
  return own && { ...(await own.enter()), leave: () => own.close() }
}

type Place = Omit<Workplace, 'spill' | 'groups' | 'sandbox' | 'seen' | 'todos'>

/** A place in which nothing was done yet. */
export function workplaceOf({ groups, sandbox }: Workspace, place: Place): Workplace {
  return {
    ...place,
    spill: createSpill(),
    ...(groups && { groups }),
    ...(sandbox && { sandbox }),
    seen: new Map(),
    todos: [],
  }
}

/** Lists that name no tool of a server leave all of them out. */
function wantsServers({ agentType, tools }: AgentCall): boolean {
  return [agentType.tools, tools].every(
    list => list === undefined || list.some(name => name === '*' || name.startsWith('mcp__')),
  )
}

async function backgroundOf(root: string, cwd: string): Promise<string> {
  return [await projectInstructions(root, cwd), placeText(root, cwd)].filter(text => text !== '').join('\n\n')
}

/** What a model is told of where it works. */
export function placeText(root: string, cwd: string): string {
  return `Project: ${root}\nWorking directory: ${cwd}\nPlatform: ${process.platform}`
}
