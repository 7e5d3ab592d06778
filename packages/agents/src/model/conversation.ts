import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3Prompt } from '@ai-sdk/provider'
import type { AgentUsage, Cause, JsonValue } from '@tutti/protocol'
import type { AgentCall, AgentContext, AgentFailure, AgentOutcome, Clock } from '@tutti/runtime'
import type { Stage } from '../execution.ts'
import { noUsage } from '../outcome.ts'
import type { Wire } from './endpoint.ts'
import { endpointFailure } from './failure.ts'
import { effortOptions } from './effort.ts'
import { NUDGE, STRUCTURED_OUTPUT, structuredOutputTool, submitInput } from './structured-output.ts'
import { systemPrompt } from './system-prompt.ts'
import { transcriptTo, type ToolAnswer, type Transcript } from './transcript.ts'
import { takeTurn, type Turn } from './turn.ts'

export interface Conversation {
  call: AgentCall
  context: AgentContext
  stage: Stage
  clock: Clock
  model: LanguageModelV3
  wire: Wire
  maxOutputTokens: number | undefined
  /** Takes credentials out of a text. */
  redact(text: string): string
}

/** Bounds a model that calls tools which do not exist, again and again. */
const MOST_TURNS = 30

/** Talks to the model until it has handed its result over, or cannot. */
export async function converse(given: Conversation): Promise<AgentOutcome> {
  const { call, stage } = given
  const talk: Talk = {
    ...given,
    messages: openingMessages(call),
    transcript: transcriptTo(given.context, given.clock),
    usage: noUsage(),
    startedAt: given.clock.now(),
    nudged: false,
    force: false,
    lastText: '',
    modelName: given.model.modelId,
  }
  talk.transcript.user(call.prompt)
  const most = Math.min(call.maxTurns ?? MOST_TURNS, MOST_TURNS)
  for (let n = 0; n < most; n++) {
    const turn = await nextTurn(talk)
    const ended = stage.signal.aborted ? failed(talk, 'stopped', 'stopped before it ended') : step(talk, turn)
    if (ended) return ended
  }
  return failed(talk, 'max_turns', `no result after ${most} turns`)
}

interface Talk extends Conversation {
  messages: LanguageModelV3Prompt
  transcript: Transcript
  usage: AgentUsage
  startedAt: number
  nudged: boolean
  /** The next turn must call the tool. */
  force: boolean
  lastText: string
  lastInvalid?: JsonValue
  /** The model that answered last. */
  modelName: string
}

function openingMessages(call: AgentCall): LanguageModelV3Prompt {
  const cached = { anthropic: { cacheControl: { type: 'ephemeral' } } }
  return [
    { role: 'system', content: systemPrompt(call), providerOptions: cached },
    { role: 'user', content: [{ type: 'text', text: call.prompt }] },
  ]
}

/** Some models refuse to be made to call a tool; they are asked once more without. */
async function nextTurn(talk: Talk): Promise<Turn> {
  const forced = talk.force
  talk.force = false
  const turn = await ask(talk, forced)
  if (!forced || !turn.error || talk.stage.signal.aborted) return turn
  return endpointFailure(turn.error, talk.clock.now()).cause === 'invalid_request' ? ask(talk, false) : turn
}

async function ask(talk: Talk, forced: boolean): Promise<Turn> {
  const { stage, usage } = talk
  const turn = await takeTurn(talk.model, requestOf(talk, forced), stage.emit)
  usage.input += turn.usage.input
  usage.output += turn.usage.output
  usage.cacheRead += turn.usage.cacheRead
  usage.cacheWrite += turn.usage.cacheWrite
  usage.toolUses += turn.toolCalls.length
  usage.durationMs = talk.clock.now() - talk.startedAt
  if (turn.model !== undefined && turn.model !== talk.modelName) {
    talk.modelName = turn.model
    stage.emit({ type: 'model', model: turn.model })
  }
  if (turn.text.trim() !== '') talk.lastText = turn.text
  stage.emit({ type: 'usage', tokens: usage.input + usage.output + usage.cacheRead + usage.cacheWrite })
  if (turn.text !== '' || turn.toolCalls.length > 0) talk.transcript.assistant(turn, talk.modelName)
  return turn
}

function requestOf(
  { call, messages, maxOutputTokens, stage, wire }: Talk,
  forced: boolean,
): LanguageModelV3CallOptions {
  const options: LanguageModelV3CallOptions = { prompt: messages, abortSignal: stage.signal }
  if (maxOutputTokens !== undefined) options.maxOutputTokens = maxOutputTokens
  if (call.effort !== undefined) options.providerOptions = effortOptions(wire, call.effort)
  if (!call.schema) return options
  options.tools = [structuredOutputTool(call.schema)]
  options.toolChoice = forced ? { type: 'tool', toolName: STRUCTURED_OUTPUT } : { type: 'auto' }
  return options
}

/** The end, or undefined when the conversation goes on. */
function step(talk: Talk, turn: Turn): AgentOutcome | undefined {
  if (turn.error !== undefined) {
    const { cause, message, ...when } = endpointFailure(turn.error, talk.clock.now())
    return { ...failed(talk, cause, message), ...when }
  }
  const finish = turn.finish?.unified
  if (finish === 'content-filter') return failed(talk, 'refused', 'the model refused to answer')
  if (finish === 'length') {
    return failed(talk, 'context_overflow', `the answer was cut off after ${turn.usage.output} output tokens`)
  }
  if (turn.toolCalls.length > 0) return answerTools(talk, turn)
  if (talk.call.schema) return withoutSubmission(talk, turn)
  return turn.text.trim() === ''
    ? failed(talk, 'no_final_text', 'the model ended without a final text')
    : { status: 'ok', value: turn.text, model: talk.modelName, usage: talk.usage, effects: 'none' }
}

function answerTools(talk: Talk, turn: Turn): AgentOutcome | undefined {
  const { submit } = talk.context
  const answers: ToolAnswer[] = []
  for (const { toolCallId, toolName, input } of turn.toolCalls) {
    if (toolName !== STRUCTURED_OUTPUT || !submit) {
      const tools = submit ? `the only tool is ${STRUCTURED_OUTPUT}` : 'there are no tools'
      answers.push({ toolCallId, toolName, failed: true, text: `There is no tool ${toolName}; ${tools}.` })
      continue
    }
    const submission = submitInput(input, submit)
    if (submission.accepted) {
      talk.transcript.tools([{ toolCallId, toolName, failed: false, text: 'Accepted.' }])
      return {
        status: 'ok',
        value: submission.value,
        model: talk.modelName,
        usage: talk.usage,
        effects: 'none',
      }
    }
    talk.lastInvalid = submission.value
    answers.push({ toolCallId, toolName, failed: true, text: submission.answer })
    if (submission.left <= 0) {
      talk.transcript.tools(answers)
      return failed(talk, 'schema_rejected', `no submitted object was valid; the last: ${submission.answer}`)
    }
  }
  talk.transcript.tools(answers)
  talk.messages.push(assistantMessage(turn), toolMessage(answers))
  return undefined
}

function withoutSubmission(talk: Talk, turn: Turn): AgentOutcome | undefined {
  if (talk.nudged) {
    return talk.lastInvalid === undefined
      ? failed(talk, 'schema_not_called', `the model did not call ${STRUCTURED_OUTPUT}, also when told to`)
      : failed(talk, 'schema_rejected', 'the model gave up after an object that was not valid')
  }
  talk.nudged = true
  talk.force = true
  if (turn.text !== '') talk.messages.push(assistantMessage(turn))
  talk.messages.push({ role: 'user', content: [{ type: 'text', text: NUDGE }] })
  talk.transcript.user(NUDGE)
  return undefined
}

/** What the model said, for its next turn. Thoughts go back only where they are signed. */
function assistantMessage({ parts }: Turn): LanguageModelV3Prompt[number] {
  const content = parts
    .filter(part =>
      part.type === 'reasoning' ? part.providerOptions : part.type !== 'text' || part.text !== '',
    )
    .map(part => {
      if (part.type !== 'tool-call') return part
      const { toolCallId, toolName, input } = part
      return { type: part.type, toolCallId, toolName, input: inputOf(input) }
    })
  return { role: 'assistant', content }
}

/** Endpoints demand an object, whatever the model wrote. */
function inputOf(input: string): unknown {
  try {
    const parsed: unknown = JSON.parse(input)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? parsed
      : { value: parsed }
  } catch {
    return { unreadable: input }
  }
}

function toolMessage(answers: ToolAnswer[]): LanguageModelV3Prompt[number] {
  return {
    role: 'tool',
    content: answers.map(({ toolCallId, toolName, text }) => ({
      type: 'tool-result',
      toolCallId,
      toolName,
      output: { type: 'error-text', value: text },
    })),
  }
}

function failed(talk: Talk, cause: Cause, message: string): AgentFailure {
  const failure: AgentFailure = {
    status: 'failed',
    cause,
    message: talk.redact(message),
    model: talk.modelName,
    usage: talk.usage,
    effects: 'none',
  }
  if (talk.lastText !== '') failure.lastText = talk.lastText
  if (talk.lastInvalid !== undefined) failure.lastInvalid = talk.lastInvalid
  return failure
}
