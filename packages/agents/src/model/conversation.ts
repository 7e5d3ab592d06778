import type { LanguageModelV3, LanguageModelV3Prompt } from '@ai-sdk/provider'
import type { AgentUsage, Cause, Effects, JsonValue } from '@tutti/protocol'
import type { AgentCall, AgentContext, AgentFailure, AgentOutcome, Clock } from '@tutti/runtime'
import type { Stage } from '../execution.ts'
import { failedBeforeStart, noUsage } from '../outcome.ts'
import type { Admission } from '../governor/admission.ts'
import type { Kit } from '../tools/kit.ts'
import type { ToolResult } from '../tools/tool.ts'
import type { Wire } from './endpoint.ts'
import { answerProblem } from './answer-problem.ts'
import { endpointFailure, isLostOnTheWay } from './failure.ts'
import { addTurn, type Meter } from './cost.ts'
import { makeRoom } from './compaction.ts'
import { continuedLine, earlierTalk } from './earlier-talk.ts'
import { assistantMessage, openingMessages, toolMessage, userMessage } from './messages.ts'
import type { Prefix } from './prefix.ts'
import { requestOf, type RequestParts } from './request.ts'
import { hiddenIn } from '../hidden-in.ts'
import { NUDGE, STRUCTURED_OUTPUT, submitInput } from './structured-output.ts'
import { createTranscript, type ToolAnswer, type Transcript } from './transcript.ts'
import { takeTurn, type Turn } from './turn.ts'

export interface Conversation {
  call: AgentCall
  context: AgentContext
  stage: Stage
  clock: Clock
  model: LanguageModelV3
  admission: Admission
  wire: Wire
  maxOutputTokens: number | undefined
  prefix: Prefix
  meter: Meter
  /** The agent's tools; absent: none but the one for its result. */
  kit?: Kit
  /** Takes credentials, and nothing else, out of a text. */
  hide(text: string): string
  /** Takes credentials and what looks like one out of a text. */
  redact(text: string): string
}

/** Bounds a model that goes on for ever. */
const MOST_TURNS = 200
/** Broken answers that are asked for again within a talk. */
const LOST_TURNS = 2

/** Talks to the model until it has handed its result over, or cannot. */
export async function converse(given: Conversation): Promise<AgentOutcome> {
  const { call, stage } = given
  const opened = await open(given)
  if ('refused' in opened) return failedBeforeStart('invalid_request', opened.refused)
  const talk: Talk = {
    ...given,
    ...opened,
    transcript: createTranscript(given),
    usage: noUsage(),
    startedAt: given.clock.now(),
    nudged: false,
    underWay: false,
    lost: 0,
    force: false,
    lastText: '',
    modelName: given.model.modelId,
  }
  talk.transcript.user(talk.said)
  const most = call.maxTurns ?? MOST_TURNS
  for (let n = 0; n < most; n++) {
    const turn = await nextTurn(talk)
    const ended = stage.signal.aborted ? stopped(talk) : await step(talk, turn)
    if (ended) return ended
  }
  return failed(talk, 'max_turns', `no result after ${most} turns`)
}

interface Opened {
  messages: LanguageModelV3Prompt
  /** The message that the transcript begins with. */
  said: string
  /** Set once there is a conversation to continue. */
  sessionId?: string
}

/** A conversation that begins, or the one that the call goes on with. */
async function open({ call, context, wire, prefix }: Conversation): Promise<Opened | { refused: string }> {
  const opening = openingMessages(call, prefix.system)
  const { continueFrom } = call
  if (!continueFrom) return { messages: opening, said: call.prompt }
  const { sessionId: transcriptId, message, required } = continueFrom
  const earlier = await earlierTalk(context, { transcriptId, wire, message })
  if (!earlier) {
    const refused = `the conversation cannot be continued: its transcript ${transcriptId} is missing or has gaps`
    return required ? { refused } : { messages: opening, said: call.prompt }
  }
  context.transcript(continuedLine(transcriptId))
  return { messages: [...opening.slice(0, 1), ...earlier], said: message, sessionId: call.transcriptId }
}

type ToolCall = Turn['toolCalls'][number]

interface Talk extends Conversation, Opened {
  transcript: Transcript
  usage: AgentUsage
  startedAt: number
  nudged: boolean
  /** The model has answered before: what it did would be lost with the talk. */
  underWay: boolean
  /** Answers that broke off since. */
  lost: number
  /** The next turn must call the tool. */
  force: boolean
  lastText: string
  lastInvalid?: JsonValue
  /** The model that answered last. */
  modelName: string
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
  const { stage, usage, admission } = talk
  await admission.enter(stage.signal)
  const turn = await takeTurn(talk.model, requestOf(partsOf(talk, forced)), { event: stage.emit })
  admission.leave(turn.error === undefined)
  addTurn(usage, turn, { meter: talk.meter, modelId: talk.model.modelId })
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

function partsOf(
  { call, messages, maxOutputTokens, stage, wire, prefix }: Talk,
  forced: boolean,
): RequestParts {
  const { signal } = stage
  return { wire, messages, tools: prefix.tools, signal, maxOutputTokens, effort: call.effort, forced }
}

/** The end, or undefined when the conversation goes on. */
async function step(talk: Talk, turn: Turn): Promise<AgentOutcome | undefined> {
  if (turn.error !== undefined) {
    const { cause, message, ...when } = endpointFailure(turn.error, talk.clock.now())
    if (cause === 'context_overflow' && makeRoom(talk.messages)) return undefined
    if (isLostOnTheWay(cause) && talk.underWay && talk.lost++ < LOST_TURNS) return undefined
    return { ...failed(talk, cause, message), ...when }
  }
  talk.underWay = true
  talk.sessionId ??= talk.call.transcriptId
  const problem = answerProblem(turn)
  if (problem) return failed(talk, problem.cause, problem.message)
  if (turn.toolCalls.length > 0) return answerTools(talk, turn)
  if (talk.call.schema) return withoutSubmission(talk, turn)
  return turn.text.trim() === ''
    ? failed(talk, 'no_final_text', 'the model ended without a final text')
    : succeeded(talk, turn.text)
}

async function answerTools(talk: Talk, turn: Turn): Promise<AgentOutcome | undefined> {
  const answers: ToolAnswer[] = []
  if (talk.usage.toolUses === turn.toolCalls.length)
    talk.stage.emit({ type: 'session', sessionId: talk.call.transcriptId })
  for (const call of turn.toolCalls) {
    const { toolCallId, toolName } = call
    if (toolName === STRUCTURED_OUTPUT && talk.context.submit) {
      const ended = submitResult(talk, call, answers)
      if (!ended) continue
      talk.transcript.tools(answers)
      return ended
    }
    const { text, failed = false } = await useTool(talk, call)
    answers.push({ toolCallId, toolName, text, failed })
    if (talk.stage.signal.aborted) {
      talk.transcript.tools(answers)
      return stopped(talk)
    }
  }
  talk.transcript.tools(answers)
  talk.messages.push(assistantMessage(turn), toolMessage(answers))
  return undefined
}

async function useTool({ kit, context }: Talk, { toolName, input }: ToolCall): Promise<ToolResult> {
  if (kit && (kit.tools.length > 0 || !context.submit)) return kit.use(toolName, input)
  const tools = context.submit ? `the only tool is ${STRUCTURED_OUTPUT}` : 'there are no tools'
  return { failed: true, text: `There is no tool ${toolName}; ${tools}.` }
}

/** The end when the object is valid or was the last that may be tried. */
function submitResult(talk: Talk, call: ToolCall, answers: ToolAnswer[]): AgentOutcome | undefined {
  const { toolCallId, toolName, input } = call
  const { submit } = talk.context
  if (!submit) return undefined
  talk.stage.emit({ type: 'tool_start', name: toolName })
  const submission = submitInput(input, submit)
  talk.stage.emit({ type: 'tool_end', name: toolName })
  if (submission.accepted) {
    answers.push({ toolCallId, toolName, failed: false, text: 'Accepted.' })
    return succeeded(talk, submission.value)
  }
  talk.lastInvalid = submission.value
  answers.push({ toolCallId, toolName, failed: true, text: submission.answer })
  return submission.left > 0
    ? undefined
    : failed(talk, 'schema_rejected', `no submitted object was valid; the last: ${submission.answer}`)
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
  talk.messages.push(userMessage(NUDGE))
  talk.transcript.user(NUDGE)
  return undefined
}

function stopped(talk: Talk): AgentFailure {
  return failed(talk, 'stopped', 'stopped before it ended')
}

function succeeded(talk: Talk, value: JsonValue): AgentOutcome {
  return {
    status: 'ok',
    value: hiddenIn(value, talk.hide),
    model: talk.modelName,
    usage: talk.usage,
    effects: effectsOf(talk),
  }
}

function effectsOf({ kit }: Talk): Effects {
  return kit?.effects ?? 'none'
}

function failed(talk: Talk, cause: Cause, message: string): AgentFailure {
  const failure: AgentFailure = {
    status: 'failed',
    cause,
    message: talk.redact(message),
    model: talk.modelName,
    usage: talk.usage,
    effects: effectsOf(talk),
  }
  if (talk.lastText !== '') failure.lastText = talk.hide(talk.lastText)
  if (talk.lastInvalid !== undefined) failure.lastInvalid = hiddenIn(talk.lastInvalid, talk.hide)
  if (talk.sessionId !== undefined) failure.sessionId = talk.sessionId
  return failure
}
