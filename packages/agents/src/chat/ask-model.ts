import type { LanguageModelV3, LanguageModelV3FunctionTool, LanguageModelV3Prompt } from '@ai-sdk/provider'
import type { Cause } from '@tutti/protocol'
import { createGatedFetch, type Retry } from '../governor/gated-fetch.ts'
import { createGovernor } from '../governor/governor.ts'
import { createMeter } from '../model/cost.ts'
import { outputTokensOf, type Endpoint } from '../model/endpoint.ts'
import { endpointFailure, isLostOnTheWay } from '../model/failure.ts'
import { loadModel } from '../model/provider.ts'
import { requestOf } from '../model/request.ts'
import { takeTurn, type Turn } from '../model/turn.ts'
import { wait } from '../wait.ts'
import { createAnswerStream } from './answer-stream.ts'
import type { History } from './history.ts'
import { createLedger, type Ledger } from './ledger.ts'
import type { ChatOptions } from './options.ts'
import type { ChatConfig, ChatEvent, TurnUsage } from './types.ts'
import { stopReasonOf } from './assistant-message.ts'

/** What one request is made of. */
export interface Question {
  modelId: string
  /** Asked instead where that one is overloaded. */
  fallbackId: string | undefined
  system: LanguageModelV3Prompt
  history: History
  tools: LanguageModelV3FunctionTool[]
  config: Pick<ChatConfig, 'effort' | 'thinkingTokens'>
  /** The model must hand its result over. */
  forced: boolean
  signal: AbortSignal
  streamEvents: boolean
  usage: Map<string, TurnUsage>
  emit(event: ChatEvent): void
}

/** An answer, or why there is none. One that broke off has what came of it. */
export interface Asked {
  id: string
  turn: Turn
  modelId: string
  /** Milliseconds. */
  apiMs: number
  failure?: { cause: Cause; message: string }
}

export interface Asker {
  readonly ledger: Ledger
  /** Never rejects. */
  ask(question: Question): Promise<Asked>
}

export interface AskerOptions extends Pick<
  ChatOptions,
  'governor' | 'prices' | 'maxOutputTokens' | 'retries'
> {
  endpoint: Endpoint
  clock: NonNullable<ChatOptions['clock']>
  random: NonNullable<ChatOptions['random']>
  hide(text: string): string
}

const RETRIES = 5
/** Answers that broke off and are asked for again. */
const LOST_ANSWERS = 2
const LOST_PAUSE_MS = 500

/** What endpoints complain about when a thought was signed for another model. */
const SEAL = /signature|thinking/i

/** Asks models of one endpoint, with patience. */
export function createAsker(options: AskerOptions): Asker {
  const { endpoint, clock, random, hide } = options
  const governor = options.governor ?? createGovernor(clock)
  const maxOutputTokens = outputTokensOf(endpoint, options.maxOutputTokens)
  const ledger = createLedger(createMeter(endpoint.baseUrl, options.prices))
  const models = new Map<string, Promise<LanguageModelV3>>()
  let lastModel: string | undefined
  let retrying: (retry: Retry) => void = () => {}
  let answering = false
  const fetch = createGatedFetch({
    gate: governor.gateOf(endpoint),
    clock,
    random,
    retries: options.retries ?? RETRIES,
    patient: () => true,
    answering: () => (answering = true),
    waiting: () => {},
    retrying: retry => retrying(retry),
  })

  function modelOf(id: string): Promise<LanguageModelV3> {
    const model = models.get(id) ?? loadModel(endpoint, id, fetch)
    models.set(id, model)
    return model
  }

  async function once(question: Question, modelId: string, forced: boolean): Promise<Asked> {
    const { system, history, tools, config, signal, usage, emit } = question
    if (lastModel !== undefined && lastModel !== modelId) history.forgetThoughts()
    lastModel = modelId
    const id = `msg_${Buffer.from(random.bytes(12)).toString('hex')}`
    retrying = ({ status, attempt, delayMs }) =>
      emit({ type: 'retry', cause: causeOfStatus(status), attempt, delayMs })
    answering = false
    const request = requestOf({
      wire: endpoint.wire,
      messages: [...system, ...history.prompt],
      tools,
      signal,
      maxOutputTokens,
      effort: config.effort,
      thinkingTokens: config.thinkingTokens,
      forced,
    })
    const stream = question.streamEvents
      ? createAnswerStream({ id, model: modelId, hide, emit: event => emit({ type: 'stream', event }) })
      : undefined
    const begun = clock.now()
    const turn = await takeTurn(await modelOf(modelId), request, stream && { piece: stream.take })
    const apiMs = clock.now() - begun
    ledger.add(turn, modelId, usage)
    const asked = { id, turn, modelId, apiMs }
    if (turn.error !== undefined) return { ...asked, failure: endpointFailure(turn.error, clock.now()) }
    stream?.end(turn, stopReasonOf(turn, endpoint.wire))
    return asked
  }

  return {
    ledger,
    async ask(question) {
      const { signal, emit, history, fallbackId } = question
      let { modelId, forced } = question
      let apiMs = 0
      for (let lost = 0; ;) {
        const asked = await once(question, modelId, forced)
        apiMs += asked.apiMs
        const { failure } = asked
        if (!failure || signal.aborted) return { ...asked, apiMs }
        const { cause, message } = failure
        // Some models refuse to be made to call a tool.
        if (forced && cause === 'invalid_request') forced = false
        else if (cause === 'context_overflow' && history.shorten()) continue
        else if (cause === 'invalid_request' && SEAL.test(message) && history.forgetThoughts()) continue
        else if (isLostOnTheWay(cause) && answering && lost < LOST_ANSWERS) {
          const delayMs = LOST_PAUSE_MS * 2 ** lost++
          emit({ type: 'retry', cause, attempt: lost, delayMs })
          await wait(clock, delayMs, signal)
        } else if (cause === 'overloaded' && fallbackId !== undefined && modelId !== fallbackId)
          modelId = fallbackId
        else return { ...asked, apiMs }
      }
    },
  }
}

function causeOfStatus(status: number | undefined): Cause {
  if (status === undefined) return 'network'
  if (status === 429) return 'rate_limited'
  return status === 503 || status === 529 ? 'overloaded' : 'server_error'
}
