import type { McpServerSettings } from '@tutti/protocol'
import type { McpPool, McpVisit } from '../mcp/pool.ts'
import type { Tool } from '../tools/tool.ts'
import type { ChangedServers, ChatServer } from './types.ts'

/** The servers of tools of a chat, each connected by itself when it is first needed. */
export interface ChatServers {
  /** Sorted by name. Waits until all have answered or failed. */
  tools(): Promise<Tool[]>
  states(): ChatServer[]
  /** As `Chat.setServers`. */
  set(wanted: Readonly<Record<string, McpServerSettings>>): Promise<ChangedServers>
  /** As `Chat.reconnectServer`. */
  reconnect(name: string): Promise<void>
  /** As `Chat.toggleServer`. */
  toggle(name: string, on: boolean): Promise<void>
  close(): Promise<void>
}

interface Server {
  settings: McpServerSettings
  on: boolean
  /** Absent until it is needed, and while it is switched off. */
  link?: Link
}

interface Link {
  pool: Promise<McpPool>
  entering: Promise<void>
  visit?: McpVisit
  /** Why there is no visit. */
  problem?: string
}

export interface ChatServersOptions {
  /** There from the beginning; a server that is set later stands in the place of one of the same name. */
  configured: Readonly<Record<string, McpServerSettings>>
  open(name: string, settings: McpServerSettings): Promise<McpPool>
}

export function createChatServers({ configured, open }: ChatServersOptions): ChatServers {
  const servers = new Map<string, Server>()
  const ending = new Set<Promise<void>>()
  for (const [name, settings] of Object.entries(configured)) servers.set(name, { settings, on: true })
  let given = new Set<string>()

  const begin = (name: string, server: Server): Link => {
    server.link ??= connect(open(name, server.settings), name)
    return server.link
  }

  const end = (server: Server | undefined): void => {
    const { link } = server ?? {}
    if (server === undefined || link === undefined) return
    delete server.link
    const ended = disconnect(link).finally(() => ending.delete(ended))
    ending.add(ended)
  }

  const known = (name: string): Server => {
    const server = servers.get(name)
    if (server === undefined)
      throw new Error(`there is no server of tools ${JSON.stringify(name.slice(0, 100))}`)
    return server
  }

  const replace = (name: string, settings: McpServerSettings | undefined): void => {
    end(servers.get(name))
    if (settings === undefined) servers.delete(name)
    else servers.set(name, { settings, on: true })
  }

  return {
    async tools() {
      const wanted = [...servers].filter(([, { on }]) => on)
      await Promise.all(wanted.map(([name, server]) => begin(name, server).entering))
      return [...servers.values()]
        .flatMap(({ link }) => link?.visit?.tools ?? [])
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    },
    states: () => [...servers].map(([name, server]) => stateOf(name, server)),
    async set(wanted) {
      const isNew = (name: string): boolean =>
        !given.has(name) || !sameSettings(servers.get(name)?.settings, wanted[name])
      const added = Object.keys(wanted).filter(isNew)
      const removed = [...given].filter(name => !Object.hasOwn(wanted, name))
      for (const name of removed)
        replace(name, Object.hasOwn(configured, name) ? configured[name] : undefined)
      for (const name of added) replace(name, wanted[name])
      given = new Set(Object.keys(wanted))
      const links = added.map(name => [name, begin(name, known(name))] as const)
      await Promise.all(links.map(([, { entering }]) => entering))
      const errors = links.flatMap(([name, link]) =>
        link.problem === undefined ? [] : [[name, link.problem]],
      )
      return { added, removed, errors: Object.fromEntries(errors) as Record<string, string> }
    },
    async reconnect(name) {
      const server = known(name)
      if (!server.on) throw new Error(`the server ${name} is switched off`)
      end(server)
      const link = begin(name, server)
      await link.entering
      if (link.problem !== undefined) throw new Error(link.problem)
    },
    async toggle(name, on) {
      const server = known(name)
      server.on = on
      if (on) await begin(name, server).entering
      else end(server)
    },
    async close() {
      for (const server of servers.values()) end(server)
      await Promise.all(ending)
    },
  }
}

function connect(pool: Promise<McpPool>, server: string): Link {
  const enter = async (): Promise<void> => {
    try {
      const visit = await (await pool).enter()
      link.visit = visit
      link.problem = visit.problems[0]?.reason
    } catch (error) {
      link.problem = `${server}: ${error instanceof Error ? error.message : String(error)}`
    }
  }
  const link: Link = { pool, entering: Promise.resolve() }
  link.entering = enter()
  return link
}

async function disconnect({ pool, visit }: Link): Promise<void> {
  visit?.leave()
  await pool.then(opened => opened.close()).catch(() => {})
}

function stateOf(name: string, { on, link }: Server): ChatServer {
  if (!on) return { name, status: 'disabled' }
  if (link?.problem !== undefined) return { name, status: 'failed', error: link.problem }
  if (link?.visit === undefined) return { name, status: 'pending' }
  const tools = link.visit.tools.map(tool => ({ name: tool.name, description: tool.description }))
  return { name, status: 'connected', tools }
}

function sameSettings(a: McpServerSettings | undefined, b: McpServerSettings | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
