import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  LanguageModelV3ReasoningPart,
  LanguageModelV3TextPart,
  LanguageModelV3ToolCall,
  LanguageModelV3Usage,
  SharedV3ProviderMetadata,
} from '@ai-sdk/provider'
import type { TokenUsage } from '@tutti/protocol'
import type { AgentEvent } from '@tutti/runtime'

/** What one answer of the model consists of, as far as it came. */
export interface Turn {
  text: string
  /** Text, thoughts and tool calls in the order in which they began. */
  parts: (LanguageModelV3TextPart | LanguageModelV3ReasoningPart | LanguageModelV3ToolCall)[]
  toolCalls: LanguageModelV3ToolCall[]
  usage: TokenUsage
  /** Undefined: the stream broke off. */
  finish?: LanguageModelV3FinishReason
  /** The model that answered, if it says so. */
  model?: string
  /** What the provider or the connection complained about. */
  error?: unknown
}

/** Hears of an answer while it comes. */
export interface TurnListener {
  event?(event: AgentEvent): void
  /** A piece as the provider gave it, after it was added to the answer. */
  piece?(piece: LanguageModelV3StreamPart, turn: Turn): void
}

/** Takes one answer, event by event. Never rejects; a stream that ends too early has an `error`. */
export async function takeTurn(
  model: LanguageModelV3,
  options: LanguageModelV3CallOptions,
  listener: TurnListener = {},
): Promise<Turn> {
  const emit = (event: AgentEvent): void => listener.event?.(event)
  const turn: Turn = {
    text: '',
    parts: [],
    toolCalls: [],
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  }
  try {
    const { stream } = await model.doStream(options)
    for await (const part of stream as unknown as AsyncIterable<LanguageModelV3StreamPart>) {
      take(part, turn, emit)
      listener.piece?.(part, turn)
    }
    if (!turn.finish || (turn.finish.raw === undefined && turn.finish.unified === 'other')) {
      turn.error ??= new Error('the answer ended before it was complete')
    }
  } catch (error) {
    turn.error ??= error
  }
  turn.parts = turn.parts.filter(part => part.type !== 'tool-call' || turn.toolCalls.includes(part))
  return turn
}

function take(part: LanguageModelV3StreamPart, turn: Turn, emit: (event: AgentEvent) => void): void {
  switch (part.type) {
    case 'text-delta':
      turn.text += part.delta
      say('text', part.delta, turn)
      emit({ type: 'text', text: part.delta })
      break
    case 'reasoning-start':
      turn.parts.push({ type: 'reasoning', text: '' })
      sign(say('reasoning', '', turn), part.providerMetadata)
      emit({ type: 'thinking' })
      break
    case 'reasoning-delta':
      sign(say('reasoning', part.delta, turn), part.providerMetadata)
      emit({ type: 'thinking', text: part.delta })
      break
    case 'reasoning-end':
      seal(turn, part.providerMetadata)
      emit({ type: 'activity' })
      break
    case 'tool-input-start':
      turn.parts.push({ type: 'tool-call', toolCallId: part.id, toolName: part.toolName, input: '' })
      emit({ type: 'activity' })
      break
    case 'tool-call':
      turn.toolCalls.push(part)
      putCall(part, turn)
      emit({ type: 'activity' })
      break
    case 'response-metadata':
      if (part.modelId) turn.model = part.modelId
      break
    case 'finish':
      turn.finish = part.finishReason
      turn.usage = tokensOf(part.usage)
      break
    case 'error':
      turn.error ??= part.error
      break
    default:
      emit({ type: 'activity' })
  }
}

/** In the place where its input began. */
function putCall(call: LanguageModelV3ToolCall, { parts }: Turn): void {
  const begun = parts.findIndex(part => part.type === 'tool-call' && part.toolCallId === call.toolCallId)
  if (begun < 0) parts.push(call)
  else parts[begun] = call
}

type Said = LanguageModelV3TextPart | LanguageModelV3ReasoningPart

/** Adds to the last part, or begins one. */
function say(type: Said['type'], text: string, { parts }: Turn): Said {
  const last = parts.at(-1)
  if (last?.type === type) {
    last.text += text
    return last
  }
  const part: Said = { type, text }
  parts.push(part)
  return part
}

/** Some wires sign a thought when it has ended. */
function seal({ parts }: Turn, signature: SharedV3ProviderMetadata | undefined): void {
  const thought = parts.findLast(part => part.type === 'reasoning')
  if (thought) sign(thought, signature)
}

/** A thought carries a signature, without which it may not be sent back. */
function sign(part: Said, signature: SharedV3ProviderMetadata | undefined): void {
  if (!signature) return
  const [[provider, values] = ['', {}]] = Object.entries(signature)
  part.providerOptions = {
    ...part.providerOptions,
    [provider]: { ...part.providerOptions?.[provider], ...values },
  }
}

/** Input without what was cached; output with what was only thought. */
function tokensOf({ inputTokens, outputTokens }: LanguageModelV3Usage): TokenUsage {
  const cacheRead = countOf(inputTokens.cacheRead)
  const cacheWrite = countOf(inputTokens.cacheWrite)
  const input = countOf(inputTokens.noCache ?? countOf(inputTokens.total) - cacheRead - cacheWrite)
  const reasoning = countOf(outputTokens.reasoning)
  const tokens = { input, output: countOf(outputTokens.total), cacheRead, cacheWrite }
  return reasoning > 0 ? { ...tokens, reasoning } : tokens
}

/** What an endpoint counts wrong gives nothing back to a budget. */
function countOf(tokens: number | undefined): number {
  return tokens !== undefined && tokens > 0 && Number.isFinite(tokens) ? tokens : 0
}
