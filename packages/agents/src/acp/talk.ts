import {
  methods,
  PROTOCOL_VERSION,
  RequestError,
  type ClientConnection,
  type ClientContext,
  type InitializeResponse,
  type PromptResponse,
} from '@agentclientprotocol/sdk'
import type { Cause, JsonValue } from '@tutti/protocol'
import type { AgentContinuation, AgentEvent, AgentOutcome, Clock } from '@tutti/runtime'
import type { AgentProcess } from '../cli/agent-process.ts'
import { causeOfWords } from '../cli/failure-cause.ts'
import type { McpCommand } from '../hand-in/serve-tool.ts'
import { missingObject, rejected, type Submitted } from '../hand-in/structured-output.ts'
import type { Transcript } from '../hand-in/transcript.ts'
import { wait } from '../wait.ts'
import { chooseModel } from './choose-model.ts'
import { openSession } from './open-session.ts'
import type { SessionLog } from './session-log.ts'
import { sessionUsage } from './usage.ts'

export interface TalkOptions {
  /** Of the command, for messages. */
  name: string
  connection: ClientConnection
  garbage(): string | undefined
  running: AgentProcess
  log: SessionLog
  transcript: Transcript
  clock: Clock
  signal: AbortSignal
  cwd: string
  prompt: string
  /** The session to go on with, and what is said there instead of the prompt. */
  continueFrom: AgentContinuation | undefined
  emit(event: AgentEvent): void
  model: string | undefined
  tool: McpCommand | undefined
  submitted: Submitted | undefined
  listen(listener: (submitted: Submitted) => void): void
}

type Result = { value: JsonValue } | { cause: Cause; message: string }

const HANDSHAKE_MS = 60_000
/** After its object was accepted an agent may end its turn, but not go on for long. */
const ACCEPTED_GRACE_MS = 20_000
/** How long a cancelled agent may take to say so. */
const CANCEL_MS = 500
const DEATH_MS = 2000
const AUTH_REQUIRED = -32000

/** One session with its prompt and, when its object was missing or wrong, one more. */
export async function talk(options: TalkOptions): Promise<AgentOutcome> {
  const { clock, log } = options
  const startedAt = clock.now()
  const answers: PromptResponse[] = []
  const session: { id?: string } = {}
  const result = await guarded(options, () => converse(options, { answers, session }))
  const common = {
    usage: sessionUsage(answers, log, clock.now() - startedAt),
    effects: log.effects === 'none' && !('value' in result) ? ('unknown' as const) : log.effects,
    ...(options.model !== undefined && { model: options.model }),
    ...(session.id !== undefined && { sessionId: session.id }),
  }
  if ('value' in result) return { status: 'ok', value: result.value, ...common }
  const refused = options.submitted?.refused
  return {
    status: 'failed',
    ...result,
    ...common,
    ...(log.text !== '' && { lastText: log.text }),
    ...(refused && result.cause === 'schema_rejected' && { lastInvalid: refused.value }),
  }
}

/** Ends when the signal does, when the process dies, or when the agent does not answer at all. */
async function guarded(options: TalkOptions, work: () => Promise<Result>): Promise<Result> {
  const { signal, running, clock } = options
  const stopped = new AbortController()
  const aborted = new Promise<void>(resolve => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true, signal: stopped.signal })
  })
  const working = work().catch((error: unknown) => failureOf(error, options))
  const died = running.ended.then(() => 'died' as const)
  try {
    const first = await Promise.race([working, aborted.then(() => 'aborted' as const), died])
    if (first === 'aborted') {
      await Promise.race([working, wait(clock, CANCEL_MS, stopped.signal)])
      return { cause: 'stopped', message: 'the agent was stopped' }
    }
    if (first !== 'died') return first
    return options.submitted?.accepted ?? deathOf(options)
  } finally {
    stopped.abort()
  }
}

interface Conversation {
  answers: PromptResponse[]
  session: { id?: string }
}

async function converse(options: TalkOptions, { answers, session }: Conversation): Promise<Result> {
  const { connection, model, submitted, name } = options
  const { agent } = connection
  const greeting = await greet(options, agent)
  if (!greeting)
    return { cause: 'backend_unavailable', message: `${name} did not answer: it does not seem to speak ACP` }
  const opened = await openSession(options, agent, greeting)
  if ('refused' in opened) return { cause: 'invalid_request', message: opened.refused }
  session.id = opened.sessionId
  options.emit({ type: 'session', sessionId: opened.sessionId })
  if (model !== undefined) {
    const refusal = await chooseModel(agent, opened, model)
    if (refusal !== undefined) return { cause: 'model_not_found', message: refusal }
  }
  const first = await ask(options, { text: opened.said, id: opened.sessionId, answers })
  if (first || submitted === undefined) return first ?? textOf(options)
  const missing = missingObject(submitted, name)
  const second = await ask(options, { text: missing.prompt, id: opened.sessionId, answers })
  const { cause, message } = missingObject(submitted, name)
  return second ?? { cause, message }
}

/** Undefined when it gave no answer in time. */
async function greet(
  { clock, garbage, name }: TalkOptions,
  agent: ClientContext,
): Promise<InitializeResponse | undefined> {
  const done = new AbortController()
  const late = wait(clock, HANDSHAKE_MS, done.signal).then(() => undefined)
  const greeting = agent
    .request(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: {},
      clientInfo: { name: 'tutti', version: '1' },
    })
    .then(response => {
      const { protocolVersion } = response
      if (protocolVersion === PROTOCOL_VERSION) return response
      throw new Error(`${name} speaks version ${protocolVersion} of the protocol, not ${PROTOCOL_VERSION}`)
    })
  const answered = await Promise.race([greeting, late]).finally(() => done.abort())
  if (answered === undefined && garbage() !== undefined)
    throw new Error(`${name} printed what cannot be read: ${garbage()}`)
  return answered
}

interface Question {
  text: string
  id: string
  answers: PromptResponse[]
}

/** Undefined when the agent ended its turn and there is no object yet. */
async function ask(options: TalkOptions, { text, id, answers }: Question): Promise<Result | undefined> {
  const { connection, log, transcript, signal, clock, submitted, name } = options
  const { agent } = connection
  const cancel = (): void =>
    void agent.notify(methods.agent.session.cancel, { sessionId: id }).catch(() => {})
  let grace: { cancel(): void } | undefined
  options.listen(({ accepted, left }) => {
    if (accepted !== undefined) grace ??= clock.timer(ACCEPTED_GRACE_MS, cancel)
    else if (left === 0) cancel()
  })
  transcript.user(text)
  log.next()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const answer = await agent.request(methods.agent.session.prompt, {
      sessionId: id,
      prompt: [{ type: 'text', text }],
    })
    answers.push(answer)
    if (submitted?.accepted) return { value: submitted.accepted.value }
    if (submitted?.left === 0) return rejected(submitted.refused?.reasons ?? '')
    return endOf(answer, name)
  } finally {
    grace?.cancel()
    signal.removeEventListener('abort', cancel)
  }
}

/** Undefined when it ended its turn by itself. */
function endOf({ stopReason }: PromptResponse, name: string): Result | undefined {
  switch (stopReason) {
    case 'end_turn':
      return undefined
    case 'max_tokens':
      return { cause: 'context_overflow', message: `${name} reached the limit of its tokens` }
    case 'max_turn_requests':
      return { cause: 'max_turns', message: `${name} used all the turns that it allows itself` }
    case 'refusal':
      return { cause: 'refused', message: `${name} refused` }
    case 'cancelled':
      return { cause: 'crashed', message: `${name} cancelled its turn by itself` }
    default:
      return { cause: 'crashed', message: `${name} ended for an unknown reason: ${String(stopReason)}` }
  }
}

function textOf({ log, name }: TalkOptions): Result {
  if (log.text.trim() !== '') return { value: log.text }
  // Some agents end there and then.
  if (log.denied !== undefined)
    return { cause: 'permission_denied', message: `${name} ended when it was not allowed ${log.denied}` }
  return { cause: 'no_final_text', message: `${name} ended without a last message` }
}

/** A request was refused, or the connection broke. */
async function failureOf(error: unknown, options: TalkOptions): Promise<Result> {
  const { name, running, clock } = options
  if (error instanceof RequestError) {
    const details = detailsOf(error.data)
    const message = `${name} reported: ${error.message}${details === '' ? '' : ` (${details})`}`
    const cause = error.code === AUTH_REQUIRED ? 'auth' : causeOfWords(`${error.message} ${details}`)
    return { cause: cause ?? 'server_error', message }
  }
  const done = new AbortController()
  const dead = running.ended.then(() => true)
  const isDead = await Promise.race([dead, wait(clock, DEATH_MS, done.signal).then(() => false)])
  done.abort()
  if (isDead) return deathOf(options)
  return { cause: 'crashed', message: error instanceof Error ? error.message : String(error) }
}

async function deathOf({ name, running, garbage }: TalkOptions): Promise<Result> {
  const { code, signal, stderr } = await running.ended
  const how = code === null ? `was ended by ${signal}` : `ended with exit code ${code}`
  const said = stderr.trim().split('\n').slice(-6).join('\n') || (garbage() ?? '')
  const cause = code === null ? undefined : causeOfWords(said)
  return {
    cause: cause ?? 'crashed',
    message: `${name} ${how}${said === '' ? '' : `: ${said.slice(-1500)}`}`,
  }
}

function detailsOf(data: unknown): string {
  const details =
    typeof data === 'object' && data !== null ? ((data as Record<string, unknown>)['details'] ?? data) : data
  if (details === undefined || details === null) return ''
  return (typeof details === 'string' ? details : JSON.stringify(details)).slice(0, 500)
}
