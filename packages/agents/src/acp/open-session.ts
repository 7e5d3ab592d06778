import {
  methods,
  RequestError,
  type ClientContext,
  type InitializeResponse,
  type NewSessionRequest,
  type NewSessionResponse,
} from '@agentclientprotocol/sdk'
import { SERVER_NAME } from '../hand-in/structured-output.ts'
import type { TalkOptions } from './talk.ts'

/** A session that is ready, and what is said in it first. */
export type OpenedSession = Pick<NewSessionResponse, 'sessionId' | 'configOptions'> & { said: string }

/** A new session, or the one to go on with where the agent can; a refusal when it must and cannot. */
export async function openSession(
  options: TalkOptions,
  agent: ClientContext,
  { agentCapabilities }: InitializeResponse,
): Promise<OpenedSession | { refused: string }> {
  const { cwd, tool, continueFrom, log, name } = options
  const at: NewSessionRequest = { cwd, mcpServers: tool ? [{ name: SERVER_NAME, ...tool, env: [] }] : [] }
  const begin = async (): Promise<OpenedSession> => {
    const { sessionId, configOptions } = await agent.request(methods.agent.session.new, at)
    return { sessionId, said: options.prompt, ...(configOptions && { configOptions }) }
  }
  if (!continueFrom) return begin()
  const { sessionId, message, required } = continueFrom
  const canResume = agentCapabilities?.sessionCapabilities?.resume != null
  if (!canResume && agentCapabilities?.loadSession !== true)
    return required ? { refused: `${name} does not announce that it can go on with a session` } : begin()
  log.retold = true
  try {
    const again = { sessionId, ...at }
    const { configOptions } = canResume
      ? await agent.request(methods.agent.session.resume, again)
      : await agent.request(methods.agent.session.load, again)
    return { sessionId, said: message, ...(configOptions && { configOptions }) }
  } catch (error) {
    if (required || !(error instanceof RequestError)) throw error
    return await begin()
  } finally {
    log.retold = false
  }
}
