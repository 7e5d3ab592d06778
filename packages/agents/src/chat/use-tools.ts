import type { ContentBlock, JsonValue } from '@tutti/protocol'
import { STRUCTURED_OUTPUT } from '../model/structured-output.ts'
import type { ResultDesk } from './result-desk.ts'
import { performUse, type ToolCall, type UseContext, type UseEnd } from './use-tool.ts'

export interface UsesContext extends UseContext {
  /** Present when the turn must end with an object. */
  desk?: ResultDesk
}

/** What came of the uses of tools in one answer. */
export interface UsesEnd {
  /** A result for each use, in their order. */
  results: ContentBlock[]
  denials: NonNullable<UseEnd['denial']>[]
  /** The turn ends, for this reason. */
  stop?: string
  /** The object that was handed over. */
  accepted?: { value: JsonValue }
  /** Why the last object was not taken, when none may follow. */
  exhausted?: string
}

/** Uses at once, where they change nothing. */
const AT_ONCE = 8

/** Performs the uses in their order; those that follow each other and change nothing run at once. */
export async function performUses(calls: readonly ToolCall[], context: UsesContext): Promise<UsesEnd> {
  const { stage } = context
  const all: UsesEnd = { results: [], denials: [] }
  for (const group of grouped(calls, context)) {
    const ends = group.map(call => performOne(call, all, context))
    for (const [at, call] of group.entries()) {
      const end = (await ends[at]) as UseEnd
      const { result, denial, stop } = end
      const { toolCallId: toolUseId, toolName } = call
      if (denial) all.denials.push(denial)
      if (stop !== undefined) all.stop ??= stop
      stage.emit({ type: 'tool_result', toolUseId, toolName, result })
      const { content, failed = false } = result
      all.results.push({ type: 'tool_result', tool_use_id: toolUseId, content, is_error: failed })
    }
  }
  return all
}

async function performOne(call: ToolCall, all: UsesEnd, context: UsesContext): Promise<UseEnd> {
  if (all.stop !== undefined)
    return { result: { content: 'Not done: the turn was ended before.', failed: true } }
  if (call.toolName !== STRUCTURED_OUTPUT || !context.desk) return performUse(call, context)
  const submission = context.desk.submit(call.input)
  if (submission.accepted) {
    all.accepted = { value: submission.value }
    return { result: { content: 'Accepted.', structured: submission.value } }
  }
  if (submission.left === 0) all.exhausted = submission.answer
  return { result: { content: submission.answer, failed: true } }
}

function grouped(calls: readonly ToolCall[], { tools }: UsesContext): ToolCall[][] {
  const groups: ToolCall[][] = []
  let reading = false
  for (const call of calls) {
    const reads = tools.find(({ name }) => name === call.toolName)?.readOnly ?? false
    const last = groups.at(-1)
    if (reads && reading && last && last.length < AT_ONCE) last.push(call)
    else groups.push([call])
    reading = reads
  }
  return groups
}
