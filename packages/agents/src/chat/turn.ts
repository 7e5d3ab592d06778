import type { LanguageModelV3Prompt } from '@ai-sdk/provider'
import { answerProblem } from '../model/answer-problem.ts'
import { assistantMessage, CACHED } from '../model/messages.ts'
import { functionTools } from '../model/prefix.ts'
import { noModel } from '../model/resolve-model.ts'
import type { Turn } from '../model/turn.ts'
import type { Asked } from './ask-model.ts'
import { assistantMessageOf } from './assistant-message.ts'
import { INTERRUPTED, missingResult } from './complete-history.ts'
import type { OfferedTool } from './offered-tool.ts'
import { openResultDesk } from './result-desk.ts'
import { sessionPrompt } from './session-prompt.ts'
import { brokenOff, endOf, explained, interrupted, limitReached, withoutObject } from './turn-ending.ts'
import { newProgress, type Ending, type Progress, type TurnParts } from './turn-progress.ts'
import type { TurnEnd } from './types.ts'
import { untilAborted } from './until-aborted.ts'
import { performUses, type UsesEnd } from './use-tools.ts'

/** Asked for again so often. */
const EMPTY_ANSWERS = 1

/** Asks the model and uses tools until it has answered. Never rejects. */
export async function playTurn(parts: TurnParts): Promise<TurnEnd> {
  const progress = newProgress()
  const { signal } = parts.stage
  try {
    for (;;) {
      const ending = signal.aborted ? interrupted(parts) : await step(parts, progress)
      if (ending) return endOf(parts, progress, ending)
    }
  } catch (error) {
    if (signal.aborted) return endOf(parts, progress, interrupted(parts))
    const message = error instanceof Error ? error.message : String(error)
    return endOf(parts, progress, {
      outcome: 'error_during_execution',
      cause: 'invalid_request',
      error: message,
    })
  }
}

/** One request and what follows from its answer; an ending, or undefined when the turn goes on. */
async function step(parts: TurnParts, progress: Progress): Promise<Ending | undefined> {
  const { stage, history, toolset, endpoint, hide } = parts
  parts.catchUp()
  const config = parts.config()
  const limit = limitReached(parts, progress, config)
  if (limit) return limit
  if (config.jsonSchema) progress.desk ??= await openResultDesk(config.jsonSchema)
  const tools = await untilAborted(toolset.offered(config), stage.signal)
  const asked = await question(parts, progress, tools)
  if (!asked) return { outcome: 'error_during_execution', cause: 'model_not_found', error: noModel(endpoint) }
  progress.apiMs += asked.apiMs
  const { failure, turn } = asked
  if (failure) {
    if (stage.signal.aborted) return brokenOff(parts, asked)
    return { outcome: 'error_during_execution', cause: failure.cause, error: explained(failure, endpoint) }
  }

  const message = assistantMessageOf({ ...asked, wire: endpoint.wire, hide })
  progress.answers++
  if (isBroken(turn) && message.content.length === 0) {
    if (progress.empty++ < EMPTY_ANSWERS) return undefined
    const error = `the model ended without an answer (${turn.finish?.raw ?? 'no reason given'})`
    return { outcome: 'error_during_execution', cause: 'no_final_text', error }
  }
  progress.stopReason = message.stop_reason
  if (turn.text.trim() !== '') progress.text = hide(turn.text)
  if (message.content.length > 0)
    history.add({ role: 'assistant', content: message.content }, assistantMessage(turn))
  stage.emit({ type: 'assistant', message })
  progress.empty = 0
  const problem = answerProblem(turn)
  const uses = turn.toolCalls.length > 0
  if (uses && problem?.cause !== 'refused') return afterUses(parts, progress, { tools, turn })
  if (uses) leaveOut(parts, turn)
  if (problem) return { outcome: 'error_during_execution', cause: problem.cause, error: problem.message }
  return progress.desk ? withoutObject(parts, progress) : { outcome: 'success' }
}

/** The endpoint gave the answer up, as for a use of a tool that it could not read. */
function isBroken({ finish }: Turn): boolean {
  return finish?.unified === 'error' || finish?.unified === 'other'
}

/** Undefined when no model is named. */
async function question(
  parts: TurnParts,
  progress: Progress,
  tools: readonly OfferedTool[],
): Promise<Asked | undefined> {
  const { stage, history, toolset, asker } = parts
  const config = parts.config()
  const modelId = parts.modelId()
  if (modelId === undefined) return undefined
  const system = sessionPrompt(config, await toolset.background())
  const prompt: LanguageModelV3Prompt =
    system === undefined ? [] : [{ role: 'system', content: system, providerOptions: CACHED }]
  const { force: forced, usage } = progress
  progress.force = false
  return asker.ask({
    modelId,
    fallbackId: parts.fallbackId(),
    system: prompt,
    history,
    tools: functionTools(tools, config.jsonSchema),
    config,
    forced,
    signal: stage.signal,
    streamEvents: stage.streamEvents ?? true,
    usage,
    emit: event => stage.emit(event),
  })
}

async function afterUses(
  parts: TurnParts,
  progress: Progress,
  { tools, turn }: { tools: readonly OfferedTool[]; turn: Turn },
): Promise<Ending | undefined> {
  const { history, stage, toolset, hide, updatePermissions } = parts
  const { desk } = progress
  const ends: UsesEnd = await performUses(turn.toolCalls, {
    tools,
    policy: () => toolset.policy(parts.config()),
    updatePermissions,
    stage,
    hide,
    ...(desk && { desk }),
  })
  progress.denials.push(...ends.denials)
  history.add({ role: 'user', content: ends.results })
  if (ends.accepted) return { outcome: 'success', value: ends.accepted.value }
  if (ends.stop !== undefined) return { outcome: 'interrupted', error: ends.stop }
  if (ends.exhausted === undefined) return undefined
  const error = `no submitted object was valid; the last: ${ends.exhausted}`
  return { outcome: 'error_max_structured_output_retries', cause: 'schema_rejected', error }
}

/** Uses of tools in an answer that is not acted upon. */
function leaveOut({ history, stage }: TurnParts, { toolCalls }: Turn): void {
  const results = toolCalls.map(call => missingResult(call.toolCallId))
  history.add({ role: 'user', content: results })
  for (const { toolCallId, toolName } of toolCalls)
    stage.emit({
      type: 'tool_result',
      toolUseId: toolCallId,
      toolName,
      result: { content: INTERRUPTED, failed: true },
    })
}
