import type { AgentInfo, InitializeResponse, JsonObject, JsonValue } from '@tutti/protocol'
import { hostChatConfig } from '../chat-config.ts'
import { readInitialize } from '../host/host-state.ts'
import { replayHistory } from '../host/replay-history.ts'
import { asObject, asText } from '../json-fields.ts'
import { useServers } from '../use-servers.ts'
import type { SessionParts } from '../session-parts.ts'
import type { SessionLoop } from '../turn/session-loop.ts'
import type { Handler } from './control-desk.ts'

/** A repeated `initialize` gets the whole answer; only what it names anew is changed. */
export function initializeHandler(parts: SessionParts, loop: SessionLoop): Handler {
  const { host, hooks, servers, chat, options, outbox, note } = parts
  let replayed = false

  return (request, turn) => {
    const { hooks: given, ...said } = readInitialize(request)
    chat.change(hostChatConfig(said))
    Object.assign(host, said)
    if (said.mcpServers !== undefined && chat.opened !== undefined)
      useServers(chat.opened, said.mcpServers, note)
    if (given !== undefined) hooks.register(given)
    if (said.sdkServers !== undefined) servers.set(said.sdkServers)
    turn.after(() => {
      // A host that says nothing now waits for what was said before, and for an end.
      if (replayed || said.hasPrompt !== false || options.earlier === undefined) return
      replayed = true
      replayHistory(options.earlier.messages, outbox)
      loop.resultWithoutTurn()
    })
    return answer(parts)
  }
}

async function answer(parts: SessionParts): Promise<JsonObject> {
  const { options, desk, host } = parts
  const open = await desk.open()
  const [commands, agents, models] = await Promise.all([open.commands(), options.agents(), options.models()])
  const response: InitializeResponse = {
    commands,
    agents: [...agents, ...hostAgents(host.agents)],
    models,
    output_style: 'default',
    available_output_styles: ['default'],
    account: {},
    capabilities: [...open.capabilities],
  }
  return {
    ...(response as unknown as JsonObject),
    hooks_applied: true,
    hook_on_failure_supported: true,
    mcp_servers_applied: true,
  }
}

function hostAgents(agents: JsonObject): AgentInfo[] {
  return Object.entries(agents).map(([name, value]: [string, JsonValue]) => {
    const type = asObject(value)
    const model = asText(type?.['model'])
    return { name, description: asText(type?.['description']) ?? '', ...(model !== undefined && { model }) }
  })
}
