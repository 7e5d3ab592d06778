import type { SessionUpdate } from '@agentclientprotocol/sdk'
import type { Effects, JsonValue } from '@tutti/protocol'
import type { AgentEvent } from '@tutti/runtime'
import type { Transcript } from '../hand-in/transcript.ts'
import { isOwnTool } from './tool-question.ts'

const CHANGING = new Set(['edit', 'delete', 'move', 'execute', 'other', 'switch_mode'])

/** What an agent told in its session. */
export class SessionLog {
  /** The last message. */
  text = ''
  toolUses = 0
  effects: Effects = 'none'
  /** Tokens in its context. */
  used: number | undefined
  costUsd: number | undefined
  readonly #emit: (event: AgentEvent) => void
  readonly #transcript: Transcript
  readonly #openTools = new Map<string, string>()
  #message: string | undefined
  #fresh = true
  /** The last thing it was not allowed, and why. */
  denied: string | undefined
  /** Updates tell of what was said before. */
  retold = false

  constructor(emit: (event: AgentEvent) => void, transcript: Transcript) {
    this.#emit = emit
    this.#transcript = transcript
  }

  /** Kinds of updates that this version does not know count as signs of life. */
  take(update: SessionUpdate): void {
    if (this.retold) return this.#emit({ type: 'activity' })
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        if (update.content.type === 'text') this.#say(update.content.text, update.messageId ?? undefined)
        break
      case 'agent_thought_chunk':
        this.#emit({ type: 'thinking', ...(update.content.type === 'text' && { text: update.content.text }) })
        break
      case 'tool_call':
        this.#begin(update)
        break
      case 'tool_call_update':
        if (update.status === 'completed' || update.status === 'failed') this.#end(update.toolCallId)
        else this.#emit({ type: 'activity' })
        break
      case 'usage_update':
        this.used = update.used
        if (update.cost?.currency === 'USD') this.costUsd = update.cost.amount
        this.#emit({ type: 'usage', tokens: update.used })
        break
      default:
        this.#emit({ type: 'activity' })
    }
  }

  /** Another prompt begins. */
  next(): void {
    this.#flush()
    this.text = ''
  }

  /** The agent has ended; tools it left open have, too. */
  close(): void {
    this.#flush()
    for (const id of this.#openTools.keys()) this.#end(id)
  }

  /** Writes the last message down. */
  #flush(): void {
    if (this.text !== '' && !this.#fresh) this.#transcript.assistant(this.text)
    this.#fresh = true
  }

  #say(text: string, message: string | undefined): void {
    if (message !== this.#message && !this.#fresh) this.#flush()
    this.#message = message
    this.text = this.#fresh ? text : this.text + text
    this.#fresh = false
    this.#emit({ type: 'text', text })
  }

  #begin(call: Extract<SessionUpdate, { sessionUpdate: 'tool_call' }>): void {
    if (this.#openTools.has(call.toolCallId)) return
    if (!this.#fresh) this.#flush()
    const name = call.name ?? call.kind ?? call.title
    this.#openTools.set(call.toolCallId, name)
    this.toolUses++
    if (!isOwnTool(call) && CHANGING.has(call.kind ?? 'other')) this.effects = 'yes'
    this.#emit({ type: 'tool_start', name, summary: call.title.split('\n', 1)[0]?.slice(0, 200) ?? '' })
    this.#transcript.tool(name, jsonOf(call.rawInput ?? { title: call.title }))
    if (call.status === 'completed' || call.status === 'failed') this.#end(call.toolCallId)
  }

  #end(id: string): void {
    const name = this.#openTools.get(id)
    if (name === undefined) return
    this.#openTools.delete(id)
    this.#emit({ type: 'tool_end', name })
  }
}

function jsonOf(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value ?? null)) as JsonValue
}
