import type { AgentInfo, InitializeResponse, JsonObject, JsonValue } from '@tutti/protocol'
import { hostChatConfig } from '../chat-config.ts'
import { readInitialize } from '../host/host-state.ts'
import { replayHistory } from '../host/replay-history.ts'
import { asObject, asText } from '../json-fields.ts'
import type { SessionParts } from '../session-parts.ts'
import type { SessionLoop } from '../turn/session-loop.ts'
import type { Handler } from './control-desk.ts'

/** A repeated `initialize` gets the whole answer; only what it names anew is changed. */
export function initializeHandler(parts: SessionParts, loop: SessionLoop): Handler {
  const { host, hooks, servers, chat, options, outbox } = parts
  let replayed = false
  let serversTaken = true

  return (request, turn) => {
    const { hooks: given, ...said } = readInitialize(request)
    chat.change(hostChatConfig(said))
    if (said.mcpServers !== undefined) serversTaken = chat.opened === undefined
    Object.assign(host, said)
    if (given !== undefined) hooks.register(given)
    if (said.sdkServers !== undefined) servers.set(said.sdkServers)
    turn.after(() => {
      // A host that says nothing now waits for what was said before, and for an end.
      if (replayed || said.hasPrompt !== false || options.earlier === undefined) return
      replayed = true
      replayHistory(options.earlier.messages, outbox)
      loop.resultWithoutTurn()
    })
    return answer(parts, serversTaken)
  }
}

async function answer(parts: SessionParts, serversTaken: boolean): Promise<JsonObject> {
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
    mcp_servers_applied: serversTaken,
  }
}

function hostAgents(agents: JsonObject): AgentInfo[] {
  return Object.entries(agents).map(([name, value]: [string, JsonValue]) => {
    const type = asObject(value)
    const model = asText(type?.['model'])
    return { name, description: asText(type?.['description']) ?? '', ...(model !== undefined && { model }) }
  })
}
