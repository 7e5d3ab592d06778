import type { JsonObject, JsonValue } from '@tutti/protocol'
import { createSeededRandom } from '@tutti/runtime/testing'
import { checkFrames, problemText, type CheckOptions, type RecordedLine } from '@tutti-internal/frame-check'
import { createSession } from '../../src/create-session.ts'
import type { SessionConfig } from '../../src/session-config.ts'
import type { FrameSink, HostSetup, Session, SessionOptions } from '../../src/session-options.ts'
import type { DeskHost } from '../../src/workflow/types.ts'
import { createScriptedChat, type ScriptedChat, type ScriptedTurn } from './scripted-chat.ts'
import {
  createDeskStage,
  SESSION_ID,
  type DeskStage,
  type DeskStageOptions,
} from '../workflow/support/desk-stage.ts'

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
          for (const look of waiting) look()
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
      random: createSeededRandom(7),
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
