import type { Backend } from '../../src/backend.ts'
import { configuredEndpoint, type Wire } from '../../src/model/endpoint.ts'
import { createModelBackend, type ModelOptions } from '../../src/model/index.ts'

/** The credential of every test. */
export const SECRET = 'sk-test-4f9d0c2b7a6e'

/** The variables that name a server. */
export function environmentAt(wire: Wire, url: string): Record<string, string> {
  const env: Record<Wire, Record<string, string>> = {
    anthropic: { ANTHROPIC_API_KEY: SECRET, ANTHROPIC_BASE_URL: url, ANTHROPIC_MODEL: 'test-model' },
    openai: { OPENAI_API_KEY: SECRET, OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'test-model' },
    responses: {
      OPENAI_API_KEY: SECRET,
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_MODEL: 'test-model',
      OPENAI_WIRE_API: 'responses',
    },
    google: { GEMINI_API_KEY: SECRET, GOOGLE_GEMINI_BASE_URL: url, GEMINI_MODEL: 'test-model' },
  }
  return env[wire]
}

/** The model backend as the environment would set it up. A refused request is not sent again unless a test says so. */
export function modelBackend(wire: Wire, url: string, more: Partial<ModelOptions> = {}): Backend {
  return createModelBackend({
    endpoint: configuredEndpoint(environmentAt(wire, url)),
    models: { quick: 'quick-model-1' },
    retriesInPlace: 0,
    ...more,
  })
}
