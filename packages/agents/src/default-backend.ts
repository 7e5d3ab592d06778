import type { Settings } from '@tutti/protocol'

/** The backend for calls that name none, and why it is that one. */
export interface DefaultBackend {
  name: string
  /** One line for people. */
  reason: string
}

const CREDENTIALS = [
  'ANTHROPIC_AUTH_TOKEN',
  'ANTHROPIC_API_KEY',
  'OPENAI_API_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
]

/** The backend of the settings; else `model` when a key for one is there; else `simulate`. */
export function chooseDefaultBackend(
  env: Record<string, string | undefined>,
  settings: Settings = {},
): DefaultBackend {
  const chosen = settings.tutti?.backend
  if (chosen !== undefined)
    return { name: chosen, reason: `Backend: ${chosen}, set as tutti.backend in the settings.` }
  const credential = CREDENTIALS.find(name => env[name]?.trim())
  if (credential !== undefined)
    return { name: 'model', reason: `Backend: model, because ${credential} is set.` }
  return {
    name: 'simulate',
    reason:
      'Backend: simulate, because no model key is set (ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY): agents without a backend of their own are simulated, their answers made up.',
  }
}

/** Why that backend can run no agent here, as far as is known without loading it; undefined when nothing speaks against it. */
export function backendProblem(
  name: string,
  env: Record<string, string | undefined>,
  settings: Settings = {},
): string | undefined {
  const all = settings.tutti?.backends ?? {}
  const own = Object.hasOwn(all, name) ? all[name] : undefined
  if ((own?.kind ?? name) !== 'model') return undefined
  const seen = { ...env, ...own?.env }
  if (CREDENTIALS.some(credential => seen[credential]?.trim())) return undefined
  return `backend "${name}" needs a model key, and none is set`
}
