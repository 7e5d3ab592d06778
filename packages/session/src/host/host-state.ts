import type { JsonObject, McpServerSettings } from '@tutti/protocol'
import type { HostSetup } from '../session-options.ts'
import { asFlag, asObject, asText, asTexts } from '../json-fields.ts'

/** What the host has said so far. */
export interface HostState extends HostSetup {
  agents: JsonObject
  /** Servers that run on our side. */
  mcpServers: Record<string, McpServerSettings>
  /** False: no first message follows. Absent: the host is not of the family that says so. */
  hasPrompt?: boolean
  perTaskStop: boolean
  systemPrompt?: string
  appendSystemPrompt?: string
  jsonSchema?: JsonObject
  /** Names of its in-process servers. */
  sdkServers: string[]
}

export function createHostState(): HostState {
  return { agents: {}, mcpServers: {}, perTaskStop: false, sdkServers: [] }
}

/** The fields of an `initialize` that were given. Throws for one that cannot be meant. */
export function readInitialize(request: JsonObject): Partial<HostState> & { hooks?: JsonObject } {
  const prompt = request['systemPrompt']
  const systemPrompt = asText(prompt) ?? asTexts(prompt)?.join('\n\n')
  const mcpServers = readServers(request['mcpServers'])
  return defined({
    hooks: objectField(request, 'hooks'),
    agents: objectField(request, 'agents'),
    jsonSchema: objectField(request, 'jsonSchema'),
    appendSystemPrompt: asText(request['appendSystemPrompt']),
    hasPrompt: asFlag(request['hasPrompt']),
    perTaskStop: asFlag(request['perTaskStopAffordance']),
    sdkServers: namesOf(request['sdkMcpServers']),
    systemPrompt,
    mcpServers,
  })
}

/** Servers by name; those without a command or address are left out. */
export function readServers(
  value: JsonObject[string] | undefined,
): Record<string, McpServerSettings> | undefined {
  const servers = asObject(value)
  if (servers === undefined) return undefined
  const read: Record<string, McpServerSettings> = {}
  for (const [name, server] of Object.entries(servers)) {
    const settings: McpServerSettings | undefined = asObject(server)
    if (typeof (settings?.command ?? settings?.url) === 'string') Object.assign(read, { [name]: settings })
  }
  return read
}

function namesOf(value: JsonObject[string] | undefined): string[] | undefined {
  const names = asTexts(value) ?? (asObject(value) && Object.keys(asObject(value) ?? {}))
  return names === undefined ? undefined : [...new Set(names)]
}

function objectField(request: JsonObject, name: string): JsonObject | undefined {
  const value = request[name]
  if (value === undefined || value === null) return undefined
  const object = asObject(value)
  if (object === undefined) throw new Error(`initialize: "${name}" must be an object`)
  return object
}

function defined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T
}
