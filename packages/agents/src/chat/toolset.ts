import { realpath } from 'node:fs/promises'
import type { Clock } from '@tutti/runtime'
import { chosenServers, expandServers } from '../mcp/servers.ts'
import { sessionModeOf } from '../permission/mode.ts'
import { createPolicy, type Policy } from '../permission/policy.ts'
import { withoutSecrets } from '../shell/environment.ts'
import { isNamed } from '../tools/names.ts'
import { projectInstructions } from '../tools/project-instructions.ts'
import { BUILT_IN_TOOLS } from '../tools/toolbox.ts'
import { placeText, workplaceOf, type Workspace } from '../tools/workshop.ts'
import { createChatServers, type ChatServers } from './chat-servers.ts'
import { foreignTool, ownTool, type OfferedTool } from './offered-tool.ts'
import type { ChatConfig } from './types.ts'

/** The tools of a chat, and where they work. */
export interface Toolset {
  /** What the model is told of the place; the same text for all of the chat. */
  background(): Promise<string>
  /** With the permissions as they are now. */
  policy(config: ChatConfig): Policy
  /** Those that may be used now. Waits until all servers have answered or failed. */
  offered(config: ChatConfig): Promise<OfferedTool[]>
  /** Names of the tools of servers. Waits as `offered` does. */
  serverTools(): Promise<string[]>
  servers: ChatServers
  /** Tools that run now end with this one. */
  begin(signal: AbortSignal): void
  close(): Promise<void>
}

export interface ToolsetOptions {
  workspace: Workspace
  additionalDirectories?: readonly string[]
  projectInstructions?: boolean
  clock: Clock
}

export async function openToolset(options: ToolsetOptions): Promise<Toolset> {
  const { workspace, clock } = options
  const root = await realpath(workspace.projectRoot)
  const additional = await existing(options.additionalDirectories ?? [])
  const env = withoutSecrets(workspace.env)
  const chosen = await chosenServers(root, workspace.mcp ?? {}, workspace.env)
  const servers = createChatServers({
    configured: chosen.servers,
    async open(name, settings) {
      const { createMcpPool } = await import('../mcp/pool.ts')
      const { groups } = workspace
      return createMcpPool({
        servers: { [name]: settings },
        cwd: root,
        env,
        clock,
        ...(groups && { groups }),
      })
    },
  })
  let known: { permissions: ChatConfig['permissions']; policy: Policy } | undefined
  let current = createPolicy(root)
  let background: Promise<string> | undefined
  const workplace = workplaceOf(workspace, {
    root,
    additional,
    cwd: root,
    env,
    clock,
    signal: new AbortController().signal,
    isHidden: path => current.hides(path),
    alive: () => {},
  })
  const builtIn = BUILT_IN_TOOLS.map(tool => ownTool(tool, workplace))

  function policy({ permissions }: ChatConfig): Policy {
    if (known?.permissions !== permissions)
      known = { permissions, policy: createPolicy(root, permissions, sessionModeOf(permissions.defaultMode)) }
    current = known.policy
    return current
  }

  async function describe(): Promise<string> {
    const instructions = options.projectInstructions === false ? '' : await projectInstructions(root, root)
    const more = additional.length > 0 ? `Also open to you: ${additional.join(', ')}` : ''
    return [instructions, placeText(root, root), more].filter(text => text !== '').join('\n\n')
  }

  return {
    policy,
    background: () => (background ??= describe()),
    serverTools: async () => (await servers.tools()).map(({ name }) => name),
    async offered(config) {
      const own = await servers.tools()
      const wanted = builtIn.filter(({ name }) => isNamed(name, config.tools))
      const { removes } = policy(config)
      const all = [
        ...config.extraTools.map(tool => foreignTool(tool, workplace)),
        ...wanted,
        ...own.map(tool => ownTool(tool, workplace)),
      ]
      return firstByName(all).filter(({ name }) => !removes(name))
    },
    servers: { ...servers, set: wanted => servers.set(expandServers(wanted, workspace.env)) },
    begin(signal) {
      workplace.signal = signal
    },
    async close() {
      await servers.close()
      await workplace.spill.end()
    },
  }
}

async function existing(directories: readonly string[]): Promise<string[]> {
  const found = await Promise.all(directories.map(path => realpath(path).catch(() => undefined)))
  return found.filter(path => path !== undefined)
}

/** Tools of the host replace ours of the same name. */
function firstByName(tools: OfferedTool[]): OfferedTool[] {
  const names = new Set<string>()
  return tools.filter(({ name }) => !names.has(name) && names.add(name))
}
