import { createHash } from 'node:crypto'
import { isJsonObject, type JsonObject } from '@tutti/protocol'
import type { AgentTypeDefinition, AgentTypes } from '@tutti/runtime'

/** Agent types of files, and over them those that the host or the command line defines, as they are at the time. */
export function withHostAgents(files: AgentTypes, host: () => JsonObject): AgentTypes {
  const own = (): AgentTypeDefinition[] =>
    Object.entries(host()).flatMap(([name, given]) => definitionOf(name, given) ?? [])
  return {
    find: async name => own().find(type => type.name === name) ?? (await files.find(name)),
    async list() {
      const defined = own()
      const names = new Set(defined.map(({ name }) => name))
      return [...defined, ...(await files.list()).filter(({ name }) => !names.has(name))]
    },
  }
}

/** Undefined for what is no definition: the host is told so by nothing, since other programs have more fields. */
function definitionOf(name: string, given: unknown): AgentTypeDefinition | undefined {
  if (!isJsonObject(given)) return undefined
  const { description, prompt, model, tools } = given
  const words = Array.isArray(tools) ? tools.filter(tool => typeof tool === 'string') : undefined
  return {
    name,
    source: 'host',
    hash: createHash('sha256').update(JSON.stringify(given)).digest('hex'),
    ...(typeof description === 'string' && { description }),
    ...(typeof prompt === 'string' && { prompt }),
    ...(typeof model === 'string' && model !== 'inherit' && { model }),
    ...(words && { tools: words }),
  }
}
