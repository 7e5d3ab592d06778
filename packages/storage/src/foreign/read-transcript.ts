import { isUtf8 } from 'node:buffer'
import type { JsonValue } from '@tutti/protocol'
import { splitLines } from '../journal/split-lines.ts'
import { countOf, fieldsOf, jsonOf, listOf, textOf, type Fields } from './fields.ts'

// What a transcript proves, and nothing more. Lines are `{ type: 'user' | 'assistant', message }` among others;
// one message of the model may be spread over several lines with the same `message.id`.

/** What a transcript says of its agent. */
export interface TranscriptContent {
  /** The first message to it; undefined when there is none. */
  prompt: string | undefined
  /** The model that answered last. */
  model: string | undefined
  tokens: number
  end: TranscriptEnd
}

export type TranscriptEnd =
  /** `proven`: the transcript itself shows that the agent had ended; else only a record can tell. */
  | { kind: 'text'; text: string; proven: boolean }
  | { kind: 'object'; value: JsonValue; proven: boolean }
  | { kind: 'none'; why: string }

const TOOL = 'StructuredOutput'
const MAX_LINE_BYTES = 32 * 1024 * 1024
const FINAL_STOPS: readonly string[] = ['end_turn', 'stop_sequence']

/** Reads a transcript. Never throws. */
export function readTranscript(bytes: Uint8Array): TranscriptContent {
  const fold = new TranscriptFold()
  const splitter = splitLines(line => fold.line(line), MAX_LINE_BYTES)
  splitter.push(bytes)
  // A last line without a newline counts when it is whole.
  const rest = bytes.subarray(bytes.length - splitter.tornBytes)
  if (rest.length > 0) fold.line(rest.length > MAX_LINE_BYTES ? undefined : rest)
  return fold.content()
}

/** The latest message of the model, put together from its lines. */
interface ModelMessage {
  id: string | undefined
  text: string
  callsTools: boolean
  stop: string | undefined
  /** Written by the product in place of an answer: an error. */
  madeUp: boolean
}

class TranscriptFold {
  #prompt: string | undefined
  #promptSeen = false
  #model: string | undefined
  #last: ModelMessage | undefined
  /** Something came after the latest message of the model. */
  #followed = false
  /** A line that cannot be read came after it. */
  #gap = false
  /** Such a line came after the last object that was accepted. */
  #objectGap = false
  readonly #usage = new Map<string, number>()
  readonly #submitted = new Map<string, JsonValue>()
  #accepted: { value: JsonValue } | undefined
  #rejected = 0
  #tools = false

  line(bytes: Uint8Array | undefined): void {
    if (bytes?.length === 0) return
    const fields = bytes && isUtf8(bytes) ? parse(bytes) : undefined
    if (!fields) {
      this.#gap = true
      this.#objectGap = true
      return
    }
    const message = fieldsOf(fields['message'])
    if (message === undefined || fields['isMeta'] === true) return
    if (fields['type'] === 'user') this.#user(message)
    else if (fields['type'] === 'assistant') this.#assistant(message, fields)
  }

  content(): TranscriptContent {
    const tokens = [...this.#usage.values()].reduce((sum, one) => sum + one, 0)
    return { prompt: this.#prompt, model: this.#model, tokens, end: this.#end() }
  }

  #user(message: Fields): void {
    const { content } = message
    if (!this.#promptSeen) {
      this.#promptSeen = true
      // Before it something may be lost: then nobody knows which message came first.
      if (!this.#gap) this.#prompt = promptOf(content)
      return
    }
    this.#followed = true
    for (const block of listOf(content)) this.#toolResult(fieldsOf(block))
  }

  #toolResult(block: Fields | undefined): void {
    const id = block?.['type'] === 'tool_result' ? textOf(block['tool_use_id']) : undefined
    const value = id === undefined ? undefined : this.#submitted.get(id)
    if (id === undefined || value === undefined) return
    this.#submitted.delete(id)
    if (block?.['is_error'] === true) {
      this.#rejected++
      return
    }
    this.#accepted = { value }
    this.#objectGap = false
  }

  #assistant(message: Fields, line: Fields): void {
    const id = textOf(message['id'])
    const model = textOf(message['model'])
    const madeUp = line['isApiErrorMessage'] === true || model === '<synthetic>'
    if (!madeUp) this.#model = model ?? this.#model
    const same = id !== undefined && this.#last?.id === id ? this.#last : undefined
    const current = same ?? { id, text: '', callsTools: false, stop: undefined, madeUp }
    current.stop = textOf(message['stop_reason']) ?? current.stop
    const content = message['content']
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content)
    for (const block of blocks) this.#block(fieldsOf(block), current)
    this.#usage.set(id ?? `line ${this.#usage.size}`, tokensIn(fieldsOf(message['usage'])))
    this.#last = current
    this.#followed = false
    this.#gap = false
  }

  #block(block: Fields | undefined, current: ModelMessage): void {
    if (block?.['type'] === 'text') current.text += textOf(block['text']) ?? ''
    if (block?.['type'] !== 'tool_use') return
    current.callsTools = true
    if (block['name'] !== TOOL) return
    this.#tools = true
    const [id, input] = [textOf(block['id']), jsonOf(block['input'])]
    if (id !== undefined && input !== undefined) this.#submitted.set(id, input)
  }

  #end(): TranscriptEnd {
    const last = this.#last
    if (!last) return none('it has no answer of a model')
    if (this.#tools) return this.#objectEnd()
    if (last.madeUp) return none('it ends with an error instead of an answer')
    if (this.#gap) return none('its last lines cannot be read')
    if (last.callsTools || this.#followed) return none('it breaks off while the agent was at work')
    if (last.text.trim() === '') return none('it has no final text')
    return { kind: 'text', text: last.text, proven: FINAL_STOPS.includes(last.stop ?? '') }
  }

  #objectEnd(): TranscriptEnd {
    if (this.#submitted.size === 0 && this.#accepted && !this.#objectGap) {
      return { kind: 'object', value: this.#accepted.value, proven: true }
    }
    // Whoever ended well had an object accepted: then it is the only one without a verdict.
    const [open] = this.#submitted.values()
    if (this.#submitted.size === 1 && open !== undefined && !this.#accepted && !this.#objectGap) {
      return { kind: 'object', value: open, proven: false }
    }
    const lost = this.#objectGap || this.#submitted.size > 0
    if (lost) return none('its last lines cannot be read, so its final object is not known')
    return none(`none of its ${this.#rejected} submitted objects was accepted`)
  }
}

function promptOf(content: unknown): string | undefined {
  if (typeof content === 'string') return content
  const texts = listOf(content)
    .map(fieldsOf)
    .filter(block => block?.['type'] === 'text')
    .map(block => textOf(block?.['text']) ?? '')
  return texts.length === 0 ? undefined : texts.join('\n')
}

function tokensIn(usage: Fields | undefined): number {
  const parts = ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens']
  return parts.reduce((sum, name) => sum + (countOf(usage?.[name]) ?? 0), 0)
}

function parse(bytes: Uint8Array): Fields | undefined {
  try {
    return fieldsOf(
      JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')),
    )
  } catch {
    return undefined
  }
}

function none(why: string): TranscriptEnd {
  return { kind: 'none', why }
}
