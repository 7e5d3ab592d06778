import type { LanguageModelV3Message } from '@ai-sdk/provider'
import { makeRoom } from '../model/compaction.ts'
import type { Wire } from '../model/endpoint.ts'
import { completeHistory } from './complete-history.ts'
import { promptMessages, type PromptContext } from './prompt-messages.ts'
import type { ChatMessage } from './types.ts'

/** What was said, and what of it the model is told. */
export interface History {
  readonly messages: readonly ChatMessage[]
  /** Without the system's. */
  readonly prompt: readonly LanguageModelV3Message[]
  /** `sent`: how the provider wants to see it again, with all that it signed. */
  add(message: ChatMessage, sent?: LanguageModelV3Message): void
  /** Makes the prompt shorter, not the messages. False when there is nothing left to leave out. */
  shorten(): boolean
  /** Thoughts that one model signed are nothing to another. False when there were none. */
  forgetThoughts(): boolean
}

const LEFT_OUT = '[Earlier messages were left out to make room.]'

export function createHistory(wire: Wire, earlier: readonly ChatMessage[] = []): History {
  const messages = [...earlier]
  const context: PromptContext = { wire, toolNames: new Map() }
  let prompt = completeHistory(earlier).flatMap(message => promptMessages(message, context))
  return {
    messages,
    get prompt() {
      return prompt
    },
    add(message, sent) {
      messages.push(message)
      const converted = promptMessages(message, context)
      prompt.push(...(sent && converted.length > 0 ? [sent] : converted))
    },
    shorten() {
      if (makeRoom(prompt)) return true
      const shorter = withoutOldest(prompt)
      if (!shorter) return false
      prompt = shorter
      return true
    },
    forgetThoughts() {
      const had = prompt.some(hasThoughts)
      if (had) prompt = prompt.flatMap(withoutThoughts)
      return had
    },
  }
}

/** The later half, from a message of the user on; undefined when there is no such message. */
function withoutOldest(prompt: LanguageModelV3Message[]): LanguageModelV3Message[] | undefined {
  const starts = prompt.flatMap(({ role }, at) => (role === 'user' && at > 0 ? [at] : []))
  const cut = starts.find(at => at >= prompt.length / 2) ?? starts.at(-1)
  if (cut === undefined || (cut === 1 && isNote(prompt[0]))) return undefined
  return [{ role: 'user', content: [{ type: 'text', text: LEFT_OUT }] }, ...prompt.slice(cut)]
}

function isNote(message: LanguageModelV3Message | undefined): boolean {
  const [part] = message?.role === 'user' ? message.content : []
  return part?.type === 'text' && part.text === LEFT_OUT
}

function hasThoughts({ role, content }: LanguageModelV3Message): boolean {
  return role === 'assistant' && content.some(part => part.type === 'reasoning')
}

function withoutThoughts(message: LanguageModelV3Message): LanguageModelV3Message[] {
  if (message.role !== 'assistant') return [message]
  const content = message.content.filter(part => part.type !== 'reasoning')
  return content.length > 0 ? [{ ...message, content }] : []
}
