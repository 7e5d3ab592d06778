import type { Chat, ChatConfig, ChatEvent, ChatMessage, TurnEnd, TurnStage } from '@tutti/agents/chat'
import type { ContentBlock, JsonObject } from '@tutti/protocol'

/** What the model does in one turn. */
export type ScriptedTurn = (
  message: ChatMessage,
  stage: TurnStage,
  chat: ScriptedChat,
) => Promise<Partial<TurnEnd>>

export interface ScriptedChat extends Chat {
  /** As they were last set. */
  servers: Parameters<Chat['setServers']>[0]
  /** Requests about servers, in words. */
  changes: string[]
  config: ChatConfig
  /** What each turn was told. */
  heard: ChatMessage[]
  /** Uses of tools so far. */
  uses: number
}

/** Says something and has used so many tokens. */
export function says(text: string, more: Partial<TurnEnd> = {}): ScriptedTurn {
  return async (_message, stage) => {
    stage.emit(answer([{ type: 'text', text }]))
    return { text, answers: 1, ...more }
  }
}

/** Uses one tool of ours, then says something. */
export function uses(name: string, input: JsonObject, then = 'Done.'): ScriptedTurn {
  return async (_message, stage, chat) => {
    const toolUseId = `toolu_scripted_${chat.messages.length}_${chat.uses++}`
    stage.emit(answer([{ type: 'tool_use', id: toolUseId, name, input }]))
    const use = { toolName: name, toolUseId, input }
    const ruling = await stage.beforeTool?.(use)
    const tool = chat.config.extraTools.find(known => known.name === name)
    if (tool === undefined) throw new Error(`no tool ${name}`)
    const result =
      ruling?.decision === 'deny'
        ? { content: ruling.reason ?? 'denied', failed: true }
        : await tool.run(ruling?.updatedInput ?? input, { toolUseId, signal: stage.signal })
    const after = await stage.afterTool?.({ ...use, result })
    const said = after?.additionalContext
    const heard =
      said === undefined ? result : { ...result, content: `${JSON.stringify(result.content)}\n${said}` }
    stage.emit({
      type: 'tool_result',
      toolUseId,
      toolName: name,
      result: heard,
    })
    if (stage.signal.aborted) return { outcome: 'interrupted' }
    stage.emit(answer([{ type: 'text', text: then }]))
    return { text: then, answers: 2 }
  }
}

/** Runs until it is interrupted. */
export const works: ScriptedTurn = (_message, { signal }) =>
  new Promise(resolve => {
    const end = (): void => resolve({ outcome: 'interrupted', errors: ['interrupted'] })
    if (signal.aborted) end()
    signal.addEventListener('abort', end)
  })

export function answer(content: ContentBlock[]): ChatEvent {
  return {
    type: 'assistant',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'scripted',
      content,
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: {
        input_tokens: 10,
        output_tokens: 5,
        cache_read_input_tokens: 0,
        cache_creation_input_tokens: 0,
      },
    },
  }
}

/** A conversation whose model does as it is told. */
export function createScriptedChat(
  initial: ChatConfig,
  { turns = [], modelId = 'scripted' }: { turns?: ScriptedTurn[]; modelId?: string | null },
): ScriptedChat {
  const messages: ChatMessage[] = []
  const heard: ChatMessage[] = []
  const script = [...turns]
  const chat: ScriptedChat = {
    config: initial,
    heard,
    uses: 0,
    messages,
    modelId: modelId ?? undefined,
    async turn(message, stage) {
      messages.push(message)
      heard.push(message)
      const end = await (script.shift() ?? says('Done.'))(message, stage, chat)
      return {
        outcome: 'success',
        text: '',
        stopReason: 'end_turn',
        errors: [],
        answers: 0,
        apiMs: 0,
        usage: {},
        denials: [],
        ...end,
      }
    },
    append: (...more) => void messages.push(...more),
    configure(change) {
      chat.config = { ...chat.config, ...change }
    },
    toolNames: async () => chat.config.extraTools.map(({ name }) => name),
    servers: {},
    changes: [],
    mcpServers: async () =>
      Object.keys(chat.servers).map(name =>
        name === 'broken'
          ? { name, status: 'failed', error: 'no such command' }
          : { name, status: 'connected', tools: [{ name: `mcp__${name}__go`, description: 'Goes' }] },
      ),
    async setServers(servers) {
      const before = chat.servers
      chat.servers = servers
      return {
        added: Object.keys(servers).filter(name => !Object.hasOwn(before, name)),
        removed: Object.keys(before).filter(name => !Object.hasOwn(servers, name)),
        errors: Object.fromEntries(
          Object.keys(servers).flatMap(name => (name === 'broken' ? [[name, 'no such command']] : [])),
        ),
      }
    },
    async reconnectServer(name) {
      if (!Object.hasOwn(chat.servers, name)) throw new Error(`there is no server ${name}`)
      chat.changes.push(`reconnect ${name}`)
    },
    toggleServer: async (name, on) => void chat.changes.push(`${name} ${on ? 'on' : 'off'}`),
    close: async () => {},
  }
  return chat
}
