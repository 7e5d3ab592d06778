import type { CommandInfo, JsonObject, Settings } from '@tutti/protocol'
import type { SessionParts } from '../session-parts.ts'
import type { Handler } from './control-desk.ts'

/** Requests for what is known of the session. */
export function settingsHandlers({
  options,
  chat,
  desk,
  frames,
  outbox,
}: SessionParts): Record<string, Handler> {
  return {
    get_settings: () => ({
      effective: withoutSecrets(options.config.settings),
      sources: [],
      applied: {
        model: chat.opened?.modelId ?? chat.config.model ?? null,
        effort: chat.config.effort ?? null,
      },
    }),
    get_context_usage() {
      const used = frames.contextTokens
      return {
        categories: [{ id: 'messages', name: 'Messages', tokens: used, color: 'default', kind: 'used' }],
        totalTokens: used,
        // How much a model takes is not known here.
        maxTokens: 0,
        rawMaxTokens: 0,
        percentage: 0,
        gridRows: [],
        model: chat.opened?.modelId ?? '',
        memoryFiles: [],
        mcpTools: [],
        agents: [],
        isAutoCompactEnabled: false,
        apiUsage: null,
      }
    },
    async subscribe({ channel }, { after }) {
      if (channel !== 'commands') throw new Error(`subscribe: the only channel is "commands"`)
      const commands = await (await desk.open()).commands()
      after(() => {
        const data = { commands: commands.map(availableCommand) }
        outbox.write({ type: 'control_notification', channel, data })
      })
      return { subscribed: true, channel }
    },
    unsubscribe: ({ channel }) => ({ unsubscribed: true, channel: channel ?? null }),
  }
}

/** Variables, headers and arguments may be secrets: of those only the names are told. */
function withoutSecrets(settings: Settings): JsonObject {
  const { env, mcpServers, tutti, ...rest } = settings as Settings & JsonObject
  const { backends, notify, ...own } = tutti ?? {}
  const ownKeys = {
    ...(own as JsonObject),
    ...(backends !== undefined && { backends: hidden(backends) }),
    ...(notify !== undefined && { notify: hidden(notify) }),
  }
  return {
    ...(rest as JsonObject),
    ...(env !== undefined && { env: hidden(env) }),
    ...(mcpServers !== undefined && { mcpServers: hidden(mcpServers) }),
    ...(tutti !== undefined && { tutti: ownKeys }),
  }
}

function availableCommand({ name, description, argumentHint }: CommandInfo): JsonObject {
  return { name, description, ...(argumentHint !== '' && { input: { hint: argumentHint } }) }
}

function hidden(values: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(Object.keys(values).map(name => [name, '[hidden]']))
}
