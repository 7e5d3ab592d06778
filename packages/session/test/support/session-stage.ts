import type { Chat, ChatConfig, ChatEvent, ChatMessage, TurnEnd, TurnStage } from '@tutti/agents/chat'
import type { ContentBlock, JsonObject, JsonValue } from '@tutti/protocol'
import { checkFrames, problemText, type CheckOptions, type RecordedLine } from '@tutti-internal/frame-check'
import { createSession } from '../../src/create-session.ts'
import type { SessionConfig } from '../../src/session-config.ts'
import type { FrameSink, HostSetup, Session, SessionOptions } from '../../src/session-options.ts'
import type { DeskHost } from '../../src/workflow/types.ts'
import {
  createDeskStage,
  SESSION_ID,
  type DeskStage,
  type DeskStageOptions,
} from '../workflow/support/desk-stage.ts'

/** What the model does in one turn. */
export type ScriptedTurn = (
  message: ChatMessage,
  stage: TurnStage,
  chat: ScriptedChat,
) => Promise<Partial<TurnEnd>>

export interface ScriptedChat extends Chat {
  config: ChatConfig
  /** What each turn was told. */
  heard: ChatMessage[]
}

export interface SessionStageOptions {
  config?: Partial<SessionConfig>
  options?: Partial<SessionOptions>
  desk?: DeskStageOptions
  /** One for each turn; later ones say `Done.`. */
  turns?: ScriptedTurn[]
  prompts?: string[]
  /** No input at all. */
  deaf?: boolean
  modelId?: string | null
  /** In the place of a reader that takes everything at once. */
  output?: FrameSink
}

export type Frame = JsonObject

/** A session in memory: its host, its model, and real workflows over a clock that stands still. */
export interface SessionStage {
  session: Session
  desk: DeskStage
  frames: Frame[]
  notes: string[]
  chat(): ScriptedChat
  setup(): HostSetup
  /** What the desk was given. */
  host(): DeskHost
  /** Writes lines, as they are or as JSON. */
  send(...lines: (JsonValue | Uint8Array)[]): void
  user(text: string, more?: JsonObject): void
  /** Sends a control request and resolves with its answer. */
  ask(request: JsonObject, requestId?: string): Promise<JsonObject>
  /** Answers a control request of the session. */
  reply(requestId: JsonValue | undefined, response: JsonObject): void
  endInput(): void
  /** The next read fails. */
  breakInput(): void
  closeOutput(): void
  /** The first frame that fits, from `from` on; waits for it. */
  frame(fits: (frame: Frame) => boolean, from?: number): Promise<Frame>
  result(n?: number): Promise<Frame>
  /** The nth control request of this kind. */
  question(subtype: string, n?: number): Promise<Frame>
  results(): Frame[]
  /** `type/subtype` of all frames. */
  order(): string[]
  check(options?: CheckOptions): void
  remove(): Promise<void>
}

export function createSessionStage(given: SessionStageOptions = {}): SessionStage {
  let host: DeskHost | undefined
  let setup: HostSetup | undefined
  let chat: ScriptedChat | undefined
  const desk = createDeskStage({ ...given.desk, host: lateHost(() => host) })
  const input = createInput()
  const frames: Frame[] = []
  const notes: string[] = []
  const recording: RecordedLine[] = []
  const waiting = new Set<() => void>()
  const closing: (() => void)[] = []
  let asked = 0

  const session = createSession(
    {
      ...(given.deaf !== true && { input: input.read() }),
      ...(given.prompts !== undefined && { prompts: given.prompts }),
      note: line => void notes.push(line),
      output: given.output ?? {
        write(frame, sent) {
          const line = JSON.stringify(frame)
          recording.push({ from: 'session', line })
          frames.push(JSON.parse(line) as Frame)
          sent?.(Buffer.byteLength(line) + 1)
          for (const look of [...waiting]) look()
        },
        flush: () => Promise.resolve(),
        onClosed: listener => void closing.push(listener),
      },
    },
    {
      sessionId: SESSION_ID,
      cwd: desk.cwd,
      dialect: given.desk?.dialect ?? 'codebuddy',
      clock: desk.clock,
      random: { next: Math.random, bytes: length => crypto.getRandomValues(new Uint8Array(length)) },
      env: {},
      config: { ...CONFIG, ...given.config },
      openChat: async (initial, hostSetup) => {
        setup = hostSetup
        return (chat = createScriptedChat(initial, given))
      },
      openDesk: async deskHost => {
        host = deskHost
        return desk.desk
      },
      models: () => [{ value: 'sonnet', displayName: 'Sonnet', description: 'A model' }],
      agents: () => [{ name: 'general-purpose', description: 'For anything' }],
      ...given.options,
    },
  )

  const stage: SessionStage = {
    session,
    desk,
    frames,
    notes,
    chat() {
      if (chat === undefined) throw new Error('no chat was opened')
      return chat
    },
    setup() {
      if (setup === undefined) throw new Error('no chat was opened')
      return setup
    },
    host() {
      if (host === undefined) throw new Error('no desk was opened')
      return host
    },
    send(...lines) {
      for (const line of lines) {
        if (line instanceof Uint8Array) input.push(line)
        else {
          const text = typeof line === 'string' ? line : JSON.stringify(line)
          recording.push({ from: 'host', line: text })
          input.push(Buffer.from(`${text}\n`))
        }
      }
    },
    user: (text, more = {}) =>
      stage.send({
        type: 'user',
        message: { role: 'user', content: text },
        parent_tool_use_id: null,
        ...more,
      }),
    async ask(request, requestId = `host_${++asked}`) {
      const from = frames.length
      stage.send({ type: 'control_request', request_id: requestId, request })
      const frame = await stage.frame(
        ({ type, response }) =>
          type === 'control_response' && (response as JsonObject)['request_id'] === requestId,
        from,
      )
      return frame['response'] as JsonObject
    },
    reply: (requestId, response) =>
      stage.send({
        type: 'control_response',
        response: { subtype: 'success', request_id: requestId ?? '', response },
      }),
    endInput: () => input.end(),
    breakInput: () => input.fail(),
    closeOutput() {
      for (const listener of closing) listener()
    },
    frame: (fits, from = 0) =>
      new Promise(resolve => {
        const look = (): void => {
          const found = frames.slice(from).find(fits)
          if (found === undefined) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
      }),
    async result(n = 1) {
      await stage.frame(() => stage.results().length >= n)
      return stage.results()[n - 1] ?? {}
    },
    async question(subtype, n = 1) {
      const asked = (): Frame[] =>
        frames.filter(
          ({ type, request }) => type === 'control_request' && (request as JsonObject)['subtype'] === subtype,
        )
      await stage.frame(() => asked().length >= n)
      return asked()[n - 1] ?? {}
    },
    results: () => frames.filter(({ type }) => type === 'result'),
    order: () => frames.map(describeFrame),
    check(options) {
      const problems = checkFrames(recording, { dialect: given.desk?.dialect, ...options })
      if (problems.length > 0) throw new Error(`${problemText(problems)}\n${stage.order().join('\n')}`)
    },
    async remove() {
      input.end()
      await session.stop('SIGTERM')
      await desk.remove()
    },
  }
  return stage
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
    const toolUseId = `toolu_${Math.random().toString(36).slice(2)}`
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
    const content = [result.content, after?.additionalContext].filter(text => text !== undefined)
    stage.emit({
      type: 'tool_result',
      toolUseId,
      toolName: name,
      result: content.length > 1 ? { ...result, content: content.join('\n') } : result,
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

export function describeFrame(frame: Frame): string {
  const { type, subtype, patch, status } = frame
  const inner = (frame['request'] ?? frame['response']) as JsonObject | undefined
  const kind = subtype ?? inner?.['subtype']
  const word = (patch as JsonObject | undefined)?.['status'] ?? status
  return [type, kind, word].filter(part => typeof part === 'string').join('/')
}

const CONFIG: SessionConfig = {
  settings: {},
  permissionMode: 'default',
  allowedTools: [],
  disallowedTools: [],
  includePartialMessages: false,
  includeHookEvents: false,
  mcpServers: {},
  strictMcpConfig: false,
  additionalDirectories: [],
  print: false,
}

function createScriptedChat(
  initial: ChatConfig,
  { turns = [], modelId = 'scripted' }: SessionStageOptions,
): ScriptedChat {
  const messages: ChatMessage[] = []
  const heard: ChatMessage[] = []
  const script = [...turns]
  const chat: ScriptedChat = {
    config: initial,
    heard,
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
    mcpServers: async () => [],
    close: async () => {},
  }
  return chat
}

/** The host of a session that does not exist yet. */
function lateHost(target: () => DeskHost | undefined): DeskHost {
  const host = (): DeskHost => {
    const found = target()
    if (found === undefined) throw new Error('the desk is used before it is opened')
    return found
  }
  return {
    sessionId: SESSION_ID,
    write: (frame, sent) => host().write(frame, sent),
    ended: end => host().ended(end),
    permissionMode: () => host().permissionMode(),
    permissionRules: () => host().permissionRules?.() ?? {},
    get mayLaunch() {
      return host().mayLaunch
    },
    agentPermission: async question =>
      (await host().agentPermission?.(question)) ?? { allowed: false, reason: 'nobody' },
  }
}

interface Input {
  push(chunk: Uint8Array): void
  end(): void
  fail(): void
  read(): AsyncGenerator<Uint8Array>
}

function createInput(): Input {
  const chunks: Uint8Array[] = []
  let ended = false
  let failed = false
  let wake: (() => void) | undefined
  return {
    push(chunk) {
      chunks.push(chunk)
      wake?.()
    },
    end() {
      ended = true
      wake?.()
    },
    fail() {
      failed = true
      wake?.()
    },
    async *read() {
      for (;;) {
        const chunk = chunks.shift()
        if (chunk !== undefined) yield chunk
        else if (failed) throw new Error('EIO')
        else if (ended) return
        else await new Promise<void>(resolve => (wake = resolve))
      }
    },
  }
}
