/** How an endpoint is talked to. */
export type Wire = 'anthropic' | 'openai'

/** A model endpoint and the credential for it. */
export interface Endpoint {
  wire: Wire
  /** With the version, without a slash at the end. */
  baseUrl: string
  /** Sent as `x-api-key` (Anthropic) or as bearer (OpenAI). */
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

type Environment = Record<string, string | undefined>

const ANTHROPIC_URL = 'https://api.anthropic.com/v1'
const OPENAI_URL = 'https://api.openai.com/v1'
const ANTHROPIC_MODEL = 'claude-sonnet-5-5'
const OPENAI_MODEL = 'gpt-5.4'

/** The endpoint that the environment has a credential for: Anthropic first. Undefined when it has none. */
export function configuredEndpoint(env: Environment): Endpoint | undefined {
  return anthropicEndpoint(env) ?? openaiEndpoint(env)
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

/** A model name of OpenAI means nothing to another server, so there is a default for OpenAI's own only. */
function openaiEndpoint(env: Environment): Endpoint | undefined {
  const apiKey = env.OPENAI_API_KEY?.trim()
  if (!apiKey) return undefined
  const baseUrl = withoutSlash(env.OPENAI_BASE_URL?.trim() || OPENAI_URL)
  const model = env.OPENAI_MODEL?.trim() || (baseUrl === OPENAI_URL ? OPENAI_MODEL : undefined)
  return {
    wire: 'openai',
    baseUrl,
    apiKey,
    aliases: {},
    credentialName: 'OPENAI_API_KEY',
    ...(model ? { model } : {}),
  }
}

/** `ANTHROPIC_BASE_URL` is usually given without the version. */
function withVersion(url: string): string {
  const base = withoutSlash(url)
  return /\/v\d+$/.test(base) ? base : `${base}/v1`
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '')
}
