import { systemClock, systemRandom } from '@tutti/runtime'
import type { JsonValue } from '@tutti/protocol'
import { NO_ENDPOINT, type Endpoint } from '../model/endpoint.ts'
import { resolveModel } from '../model/resolve-model.ts'
import { credentialHider, redactor } from '../model/secrets.ts'
import type { McpChoice } from '../mcp/servers.ts'
import { checkPermissions } from '../permission/check-rules.ts'
import { secretHider } from '../shell/environment.ts'
import type { Asker } from './ask-model.ts'
import { createHistory } from './history.ts'
import type { ChatOptions } from './options.ts'
import { updatedPermissions } from './permission-updates.ts'
import { toolNamesOf } from './tool-names.ts'
import type { Toolset } from './toolset.ts'
import type { Chat, ChatConfig, ChatMessage, TurnEnd, TurnStage } from './types.ts'

/**
 * A conversation with a model behind an HTTP endpoint. What it needs is loaded at its first use. Throws
 * WorkflowInputError `settings-invalid` for permissions that cannot be read.
 */
export function createChat(options: ChatOptions): Chat {
  const { endpoint, models, workspace, clock = systemClock(), random = systemRandom() } = options
  const history = createHistory(endpoint?.wire ?? 'anthropic', options.messages)
  const hideOwn = secretHider(workspace.env)
  const hideCredentials = endpoint ? credentialHider(endpoint) : (text: string) => text
  const hide = (text: string): string => hideOwn(hideCredentials(text))
  const redactKeys = endpoint ? redactor(endpoint) : hide
  const redact = (text: string): string => hideOwn(redactKeys(text))
  let hasServers = mayHaveServers(workspace.mcp)
  const closing = new AbortController()
  let config = withPermissions(options.config)
  let waiting: ChatMessage[] = []
  let playing: Promise<TurnEnd> | undefined
  let toolset: Promise<Toolset> | undefined
  let asker: Promise<Asker> | undefined

  function configure(change: Partial<ChatConfig>): void {
    config = withPermissions({ ...config, ...change })
  }

  const modelId = (name: string | undefined): string | undefined =>
    endpoint && resolveModel(name === 'default' || name === 'inherit' ? undefined : name, endpoint, models)

  function catchUp(): void {
    for (const message of waiting) history.add(message)
    waiting = []
  }

  async function openTools(): Promise<Toolset> {
    const { openToolset } = await import('./toolset.ts')
    return openToolset({ ...options, clock })
  }

  const opened = (): Promise<Toolset> => (toolset ??= openTools())

  async function openAsker(at: Endpoint): Promise<Asker> {
    const { createAsker } = await import('./ask-model.ts')
    return createAsker({ ...options, endpoint: at, clock, random, hide })
  }

  async function play(stage: TurnStage): Promise<TurnEnd> {
    if (!endpoint) return failed('backend_unavailable', NO_ENDPOINT)
    const { playTurn } = await import('./turn.ts')
    const signal = AbortSignal.any([stage.signal, closing.signal])
    const [tools, asking] = await Promise.all([opened(), (asker ??= openAsker(endpoint))])
    tools.begin(signal)
    return playTurn({
      endpoint,
      history,
      toolset: tools,
      asker: asking,
      stage: withSignal(stage, signal),
      config: () => config,
      modelId: () => modelId(config.model),
      fallbackId: () => (config.fallbackModel === undefined ? undefined : modelId(config.fallbackModel)),
      catchUp,
      updatePermissions: (updates: readonly JsonValue[]) =>
        configure({ permissions: updatedPermissions(config.permissions, updates) }),
      hide,
      redact,
    })
  }

  return {
    async turn(message, stage) {
      if (playing) return failed('invalid_request', 'another turn of this conversation has not ended yet')
      history.add(message)
      playing = play(stage).catch((error: unknown) => failed('invalid_request', redact(String(error))))
      try {
        return await playing
      } finally {
        playing = undefined
        catchUp()
      }
    },
    append(...messages) {
      waiting.push(...messages)
      if (!playing) catchUp()
    },
    configure,
    get config() {
      return config
    },
    messages: history.messages,
    async toolNames() {
      const servers = hasServers ? await (await opened()).serverTools() : []
      return toolNamesOf(config, servers)
    },
    async mcpServers() {
      return hasServers ? (await opened()).servers.states() : []
    },
    async setServers(servers) {
      hasServers ||= Object.keys(servers).length > 0
      if (!hasServers) return { added: [], removed: [], errors: {} }
      return (await opened()).servers.set(servers)
    },
    reconnectServer: async name => (await opened()).servers.reconnect(name),
    toggleServer: async (name, on) => (await opened()).servers.toggle(name, on),
    get modelId() {
      return modelId(config.model)
    },
    async close() {
      closing.abort()
      await playing
      const tools = await toolset?.catch(() => undefined)
      await tools?.close()
    },
  }
}

/** Everything else is asked of the stage itself: what it can do may change while the turn runs. */
function withSignal(stage: TurnStage, signal: AbortSignal): TurnStage {
  return Object.create(stage, { signal: { value: signal } }) as TurnStage
}

function mayHaveServers({ servers = {}, enabled = [], enableAll = false }: McpChoice = {}): boolean {
  return enableAll || enabled.length > 0 || Object.keys(servers).length > 0
}

function withPermissions(config: ChatConfig): ChatConfig {
  checkPermissions(config.permissions)
  return config
}

function failed(cause: NonNullable<TurnEnd['cause']>, error: string): TurnEnd {
  return {
    outcome: 'error_during_execution',
    text: '',
    stopReason: null,
    cause,
    errors: [error],
    answers: 0,
    apiMs: 0,
    usage: {},
    denials: [],
  }
}
