import type { LanguageModelV3Message, LanguageModelV3Prompt } from '@ai-sdk/provider'

const LEFT_OUT = '[left out to make room; use the tool again if you need it]'
const SHORT = 300

/**
 * Takes what older uses of tools returned out of a talk that has become too long: all but the last two, and
 * when those are gone, all but the last. False when nothing is left to take.
 */
export function makeRoom(messages: LanguageModelV3Prompt): boolean {
  const places = messages.flatMap((message, at) => (message.role === 'tool' ? [at] : []))
  for (const kept of [2, 1]) {
    const old = places.slice(0, Math.max(0, places.length - kept))
    let changed = false
    for (const at of old) {
      const shorter = withoutOutputs(messages[at] as ToolMessage)
      if (!shorter) continue
      messages[at] = shorter
      changed = true
    }
    if (changed) return true
  }
  return false
}

type ToolMessage = Extract<LanguageModelV3Message, { role: 'tool' }>

/** Undefined when it has none that is worth taking. */
function withoutOutputs(message: ToolMessage): ToolMessage | undefined {
  let changed = false
  const content = message.content.map(part => {
    if (part.type !== 'tool-result' || !('value' in part.output)) return part
    if (typeof part.output.value !== 'string' || part.output.value.length <= SHORT) return part
    changed = true
    return { ...part, output: { type: 'text' as const, value: LEFT_OUT } }
  })
  return changed ? { ...message, content } : undefined
}
