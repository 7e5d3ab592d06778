import type { LanguageModelV3StreamPart } from '@ai-sdk/provider'
import type { JsonObject } from '@tutti/protocol'
import { answerUsage, sealOf } from '../model/answer-content.ts'
import type { Turn } from '../model/turn.ts'

/** Tells an answer that comes in on any wire as events of the Messages API. */
export interface AnswerStream {
  /** After each piece was added to the answer. */
  take(piece: LanguageModelV3StreamPart, turn: Turn): void
  /** The answer is complete. */
  end(turn: Turn, stopReason: string | null): void
}

export interface AnswerStreamOptions {
  id: string
  /** Until the endpoint says who answers. */
  model: string
  emit(event: JsonObject): void
  /** Takes credentials out of a text. */
  hide(text: string): string
}

type Part = Turn['parts'][number]

interface Block {
  index: number
  key: string | Part
  kind: Part['type']
  open: boolean
  /** Some of the input of a tool was told. */
  begun: boolean
}

/** Blocks have the order of the parts of the answer; what is empty is left out, as in the complete answer. */
export function createAnswerStream({ id, model, emit, hide }: AnswerStreamOptions): AnswerStream {
  const blocks: Block[] = []
  let started = false

  function start(turn: Turn): void {
    if (started) return
    started = true
    const usage = answerUsage({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 })
    const head = { id, type: 'message', role: 'assistant', model: turn.model ?? model, content: [] }
    emit({ type: 'message_start', message: { ...head, stop_reason: null, stop_sequence: null, usage } })
  }

  function open(key: Block['key'], kind: Part['type'], content: JsonObject): Block {
    const block = { index: blocks.length, key, kind, open: true, begun: false }
    blocks.push(block)
    emit({ type: 'content_block_start', index: block.index, content_block: content })
    return block
  }

  function tell({ index }: Block, delta: JsonObject): void {
    emit({ type: 'content_block_delta', index, delta })
  }

  function close(block: Block): void {
    if (!block.open) return
    block.open = false
    emit({ type: 'content_block_stop', index: block.index })
  }

  const blockOf = (key: Block['key']): Block | undefined => blocks.findLast(block => block.key === key)

  function said(part: Part, delta: string): void {
    if (delta === '' || part.type === 'tool-call') return
    const text = part.type === 'text'
    const empty: JsonObject = text
      ? { type: 'text', text: '' }
      : { type: 'thinking', thinking: '', signature: '' }
    const block = blockOf(part) ?? open(part, part.type, empty)
    tell(
      block,
      text ? { type: 'text_delta', text: hide(delta) } : { type: 'thinking_delta', thinking: hide(delta) },
    )
  }

  /** Ends all texts and thoughts before `next`. A thought may consist of nothing but its seal. */
  function finish({ parts }: Turn, next?: Part): void {
    for (const part of parts) {
      if (part === next) return
      if (part.type === 'tool-call') continue
      const known = blockOf(part)
      const { signature, redactedData } = part.type === 'reasoning' ? sealOf(part) : {}
      if (known && !known.open) continue
      if (redactedData !== undefined && !known)
        close(open(part, part.type, { type: 'redacted_thinking', data: redactedData }))
      else if (known || signature !== undefined) {
        const block = known ?? open(part, part.type, { type: 'thinking', thinking: '', signature: '' })
        if (signature !== undefined) tell(block, { type: 'signature_delta', signature })
        close(block)
      }
    }
  }

  function openTool(key: string, name: string): Block {
    return blockOf(key) ?? open(key, 'tool-call', { type: 'tool_use', id: key, name, input: {} })
  }

  function tellInput(block: Block, text: string): void {
    if (text === '') return
    block.begun = true
    tell(block, { type: 'input_json_delta', partial_json: hide(text) })
  }

  return {
    take(piece, turn) {
      if (piece.type === 'response-metadata') return start(turn)
      const last = turn.parts.at(-1)
      switch (piece.type) {
        case 'text-delta':
        case 'reasoning-start':
        case 'reasoning-delta':
          start(turn)
          if (!last) return
          finish(turn, last)
          return 'delta' in piece ? said(last, piece.delta) : undefined
        case 'tool-input-start':
          start(turn)
          finish(turn)
          return void openTool(piece.id, piece.toolName)
        case 'tool-input-delta': {
          const block = blockOf(piece.id)
          return block && tellInput(block, piece.delta)
        }
        case 'tool-call': {
          start(turn)
          finish(turn)
          const block = openTool(piece.toolCallId, piece.toolName)
          if (!block.begun) tellInput(block, piece.input)
          return close(block)
        }
        default:
          return undefined
      }
    },
    end(turn, stopReason) {
      start(turn)
      finish(turn)
      for (const block of blocks) close(block)
      const delta = { stop_reason: stopReason, stop_sequence: null }
      emit({ type: 'message_delta', delta, usage: answerUsage(turn.usage) })
      emit({ type: 'message_stop' })
    },
  }
}
