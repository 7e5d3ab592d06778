/** How an endpoint is talked to. */
export type Wire = 'anthropic' | 'openai' | 'responses' | 'google'

/** A model endpoint and the credential for it. */
export interface Endpoint {
  wire: Wire
  /** With the version, without a slash at the end. */
  baseUrl: string
  /** Sent as `x-api-key` (Anthropic), `x-goog-api-key` (Google) or as bearer (OpenAI). */
  apiKey?: string
  /** Sent as bearer to an Anthropic endpoint. */
  authToken?: string
  /** Where a call names none. */
  model?: string
  /** Names a script may use for a model; `inherit` is the default. */
  aliases: Record<string, string>
  /** The variable that makes this endpoint the one to use. */
  credentialName: string
}

/** What to do where there is none. */
export const NO_ENDPOINT: string =
  'no model endpoint is configured; set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY'

const ANTHROPIC_OUTPUT_TOKENS = 16_000

/** Most tokens of one answer; Anthropic demands a number, else undefined leaves it to the endpoint. */
export function outputTokensOf({ wire }: Endpoint, given?: number): number | undefined {
  return given ?? (wire === 'anthropic' ? ANTHROPIC_OUTPUT_TOKENS : undefined)
}

type Environment = Record<string, string | undefined>

const ANTHROPIC_URL = 'https://api.anthropic.com/v1'
const OPENAI_URL = 'https://api.openai.com/v1'
const ANTHROPIC_MODEL = 'claude-sonnet-5-5'
const OPENAI_MODEL = 'gpt-5.4'
const GOOGLE_URL = 'https://generativelanguage.googleapis.com/v1beta'
const GOOGLE_MODEL = 'gemini-pro-latest'

/** Variables with a key of Google's, in the order in which they count. */
const GOOGLE_KEYS = ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY']

/**
 * The endpoint that the environment has a credential for: Anthropic, then OpenAI, then Google. Undefined when
 * it has none. A credential in `own`, which goes over the rest of the environment, comes before all others.
 */
export function configuredEndpoint(env: Environment, own: Environment = {}): Endpoint | undefined {
  const wires = [anthropicEndpoint, openaiEndpoint, googleEndpoint]
  const wanted = wires.find(endpointOf => endpointOf(own)) ?? wires.find(endpointOf => endpointOf(env))
  return wanted?.({ ...env, ...own })
}

function anthropicEndpoint(env: Environment): Endpoint | undefined {
  const apiKey = env.ANTHROPIC_API_KEY?.trim()
  const authToken = env.ANTHROPIC_AUTH_TOKEN?.trim()
  if (!apiKey && !authToken) return undefined
  const credential = authToken
    ? { authToken, credentialName: 'ANTHROPIC_AUTH_TOKEN' }
    : { apiKey, credentialName: 'ANTHROPIC_API_KEY' }
  return {
    wire: 'anthropic',
    baseUrl: withVersion(env.ANTHROPIC_BASE_URL?.trim() || ANTHROPIC_URL),
    model: env.ANTHROPIC_MODEL?.trim() || ANTHROPIC_MODEL,
    aliases: {
      sonnet: env.ANTHROPIC_DEFAULT_SONNET_MODEL || 'claude-sonnet-5-5',
      opus: env.ANTHROPIC_DEFAULT_OPUS_MODEL || 'claude-opus-5-5',
      haiku: env.ANTHROPIC_DEFAULT_HAIKU_MODEL || 'claude-haiku-5-5',
    },
    ...credential,
  }
}

/**
 * A model name of OpenAI means nothing to another server, so there is a default for OpenAI's own only; and few
 * others speak its newer wire.
 */
function openaiEndpoint(env: Environment): Endpoint | undefined {
  const apiKey = env.OPENAI_API_KEY?.trim()
  if (!apiKey) return undefined
  const baseUrl = withoutSlash(env.OPENAI_BASE_URL?.trim() || OPENAI_URL)
  const model = env.OPENAI_MODEL?.trim() || (baseUrl === OPENAI_URL ? OPENAI_MODEL : undefined)
  const api = env.OPENAI_WIRE_API?.trim() || (baseUrl === OPENAI_URL ? 'responses' : 'chat')
  return {
    wire: api === 'responses' ? 'responses' : 'openai',
    baseUrl,
    apiKey,
    aliases: {},
    credentialName: 'OPENAI_API_KEY',
    ...(model ? { model } : {}),
  }
}

function googleEndpoint(env: Environment): Endpoint | undefined {
  const credentialName = GOOGLE_KEYS.find(name => env[name]?.trim())
  if (credentialName === undefined) return undefined
  const baseUrl = withVersion(env.GOOGLE_GEMINI_BASE_URL?.trim() || GOOGLE_URL, 'v1beta')
  const model = env.GEMINI_MODEL?.trim() || GOOGLE_MODEL
  return { wire: 'google', baseUrl, apiKey: env[credentialName]?.trim(), model, aliases: {}, credentialName }
}

/** These are usually given without the version. */
function withVersion(url: string, version: string = 'v1'): string {
  const base = withoutSlash(url)
  return /\/v\d+(beta\d*)?$/.test(base) ? base : `${base}/${version}`
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '')
}
