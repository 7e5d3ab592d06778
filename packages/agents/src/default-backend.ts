import type { BackendSettings, Settings } from '@tutti/protocol'
import { findCommand } from './find-command.ts'
import { ACP_PRODUCTS, CLI_PRODUCTS } from './products.ts'

/** The backend for calls that name none, and why it is that one. */
export interface DefaultBackend {
  name: string
  /** One line for people. */
  reason: string
  /** An agent product that is installed and could do the work instead of `simulate`; it is used when somebody says so. */
  offer?: string
}

const CREDENTIALS = [
  'ANTHROPIC_AUTH_TOKEN',
  'ANTHROPIC_API_KEY',
  'OPENAI_API_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
]

/**
 * The backend of the settings; else `model` when a key for one is there; else `simulate`, with an offer when the
 * command of an agent product is on the PATH.
 */
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
  const reason =
    'Backend: simulate, because no model key is set (ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY): agents without a backend of their own are simulated, their answers made up.'
  const product = Object.keys(CLI_PRODUCTS).find(command => findCommand(command, env) !== undefined)
  if (product === undefined) return { name: 'simulate', reason }
  const offer = `cli:${product}`
  return {
    name: 'simulate',
    reason: `${reason} ${product} is installed: --backend ${offer} lets it work.`,
    offer,
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
  const seen = { ...env, ...own?.env }
  if ((own?.kind ?? name) !== 'model') return missingCommand(name, own, seen)
  if (CREDENTIALS.some(credential => seen[credential]?.trim())) return undefined
  return `backend "${name}" needs a model key, and none is set (ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY)`
}

/** Of an agent product; a path is looked at when it is started, since that is below the project. */
function missingCommand(
  name: string,
  own: BackendSettings | undefined,
  env: Record<string, string | undefined>,
): string | undefined {
  const command = own === undefined ? productCommand(name) : own.command
  if (command === undefined || /[/\\]/.test(command) || findCommand(command, env)) return undefined
  return `backend "${name}" needs the command "${command}", and there is none on the PATH`
}

function productCommand(name: string): string | undefined {
  const [kind, product = ''] = name.split(':')
  if (kind === 'cli') return Object.hasOwn(CLI_PRODUCTS, product) ? product : undefined
  return kind === 'acp' && Object.hasOwn(ACP_PRODUCTS, product) ? ACP_PRODUCTS[product]?.command : undefined
}
