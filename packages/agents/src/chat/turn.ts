import type { LanguageModelV3Prompt } from '@ai-sdk/provider'
import type { Cause, JsonValue } from '@tutti/protocol'
import { answerProblem } from '../model/answer-problem.ts'
import type { Wire } from '../model/endpoint.ts'
import { assistantMessage, CACHED } from '../model/messages.ts'
import { functionTools } from '../model/prefix.ts'
import type { Turn } from '../model/turn.ts'
import { NUDGE, STRUCTURED_OUTPUT } from '../model/structured-output.ts'
import type { Asked, Asker } from './ask-model.ts'
import { assistantMessageOf } from './assistant-message.ts'
import { INTERRUPTED, missingResult } from './complete-history.ts'
import type { History } from './history.ts'
import type { OfferedTool } from './offered-tool.ts'
import { openResultDesk, type ResultDesk } from './result-desk.ts'
import { sessionPrompt } from './session-prompt.ts'
import type { Toolset } from './toolset.ts'
import type { ChatConfig, TurnEnd, TurnOutcome, TurnStage, TurnUsage } from './types.ts'
import { untilAborted } from './until-aborted.ts'
import { performUses, type UsesEnd } from './use-tools.ts'

/** What a turn is played with. */
export interface TurnParts {
  wire: Wire
  history: History
  toolset: Toolset
  asker: Asker
  stage: TurnStage
  config(): ChatConfig
  modelId(): string | undefined
  fallbackId(): string | undefined
  /** What was said outside of the turn in the meantime goes into the history. */
  catchUp(): void
  updatePermissions(updates: readonly JsonValue[]): void
  noModel: string
  hide(text: string): string
  redact(text: string): string
}

interface Progress {
  text: string
  stopReason: string | null
  answers: number
  apiMs: number
  usage: Map<string, TurnUsage>
  denials: TurnEnd['denials']
  nudged: boolean
  force: boolean
  desk?: ResultDesk
}

interface Ending {
  outcome: TurnOutcome
  cause?: Cause
  error?: string
  value?: JsonValue
}

/** Asks the model and uses tools until it has answered. Never rejects. */
export async function playTurn(parts: TurnParts): Promise<TurnEnd> {
  const progress: Progress = {
    text: '',
    stopReason: null,
    answers: 0,
    apiMs: 0,
    usage: new Map(),
    denials: [],
    nudged: false,
    force: false,
  }
  const { signal } = parts.stage
  try {
    for (;;) {
      const ending = signal.aborted ? interruptedIn(parts) : await step(parts, progress)
      if (ending) return endOf(parts, progress, ending)
    }
  } catch (error) {
    if (signal.aborted) return endOf(parts, progress, interruptedIn(parts))
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
  const { stage, history, toolset, wire, hide } = parts
  parts.catchUp()
  const config = parts.config()
  const limit = limitReached(parts, progress, config)
  if (limit) return limit
  if (config.jsonSchema) progress.desk ??= await openResultDesk(config.jsonSchema)
  const tools = await untilAborted(toolset.offered(config), stage.signal)
  const asked = await question(parts, progress, tools)
  if (!asked) return { outcome: 'error_during_execution', cause: 'model_not_found', error: parts.noModel }
  progress.apiMs += asked.apiMs
  const { failure, turn } = asked
  if (failure) {
    if (stage.signal.aborted) return brokenOff(parts, asked)
    return { outcome: 'error_during_execution', cause: failure.cause, error: explained(failure) }
  }

  const message = assistantMessageOf({ ...asked, wire, hide })
  progress.answers++
  progress.stopReason = message.stop_reason
  if (turn.text.trim() !== '') progress.text = hide(turn.text)
  if (message.content.length > 0)
    history.add({ role: 'assistant', content: message.content }, assistantMessage(turn))
  stage.emit({ type: 'assistant', message })

  const problem = answerProblem(turn)
  const uses = turn.toolCalls.length > 0
  if (uses && problem?.cause !== 'refused') return afterUses(parts, progress, { tools, turn })
  if (uses) leaveOut(parts, turn)
  if (problem) return { outcome: 'error_during_execution', cause: problem.cause, error: problem.message }
  return progress.desk ? withoutObject(parts, progress) : { outcome: 'success' }
}

function limitReached(
  { asker }: TurnParts,
  { answers }: Progress,
  { maxTurns, maxBudgetUsd }: ChatConfig,
): Ending | undefined {
  if (maxTurns !== undefined && answers >= maxTurns)
    return {
      outcome: 'error_max_turns',
      cause: 'max_turns',
      error: `not done after ${answers} answers of the model`,
    }
  const { spentUsd } = asker.ledger
  if (maxBudgetUsd !== undefined && spentUsd >= maxBudgetUsd)
    return {
      outcome: 'error_max_budget_usd',
      error: `$${spentUsd.toFixed(4)} were spent of at most $${maxBudgetUsd}`,
    }
  return undefined
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
    emit: stage.emit,
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

/** Said once to a model that ended without its object. */
function withoutObject({ history }: TurnParts, progress: Progress): Ending | undefined {
  if (progress.nudged)
    return {
      outcome: 'error_max_structured_output_retries',
      cause: 'schema_not_called',
      error: `the model did not call ${STRUCTURED_OUTPUT}, also when told to`,
    }
  progress.nudged = true
  progress.force = true
  history.add({ role: 'user', content: NUDGE })
  return undefined
}

/** What was already said of an answer that was stopped is kept; tools it began to ask for are not used. */
function brokenOff(parts: TurnParts, { id, turn, modelId }: Asked): Ending {
  const { history, stage, wire, hide } = parts
  const texts = turn.parts.filter(part => part.type === 'text')
  const message = assistantMessageOf({ id, turn: { ...turn, parts: texts }, modelId, wire, hide })
  if (message.content.length > 0) {
    history.add({ role: 'assistant', content: message.content })
    stage.emit({ type: 'assistant', message: { ...message, stop_reason: null } })
  }
  return interruptedIn(parts)
}

function interruptedIn({ history }: TurnParts): Ending {
  history.add({ role: 'user', content: INTERRUPTED })
  return { outcome: 'interrupted' }
}

function explained({ cause, message }: { cause: Cause; message: string }): string {
  if (cause !== 'context_overflow') return message
  return `${message}; the conversation has become too long for the model, also without what older tools returned: begin a new one, or choose a model with a larger context window`
}

function endOf({ redact }: TurnParts, progress: Progress, ending: Ending): TurnEnd {
  const { text, stopReason, answers, apiMs, usage, denials } = progress
  const { outcome, cause, error, value } = ending
  return {
    outcome,
    text: text === '' && value !== undefined ? JSON.stringify(value) : text,
    ...(value !== undefined && { structuredOutput: value }),
    stopReason,
    ...(cause !== undefined && { cause }),
    errors: error === undefined ? [] : [redact(error)],
    answers,
    apiMs,
    usage: Object.fromEntries(usage),
    denials,
  }
}
