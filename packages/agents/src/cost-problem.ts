import type { BackendSettings, Settings } from '@tutti/protocol'
import { ACP_PRODUCTS, CLI_PRODUCTS } from './products.ts'

export interface CostQuestion {
  env: Record<string, string | undefined>
  settings?: Settings
  /** Model of the run, or the name of one; absent: that of the backend. */
  model?: string
}

/**
 * Why it cannot be told what agents cost on that backend, as far as is known before any has run; undefined when it can.
 * What is made up, and commands, cost nothing.
 */
export async function costProblem(name: string, question: CostQuestion): Promise<string | undefined> {
  const { settings = {} } = question
  const backend = backendOf(name, settings)
  const priced = Object.keys(settings.tutti?.prices ?? {}).length > 0
  switch (backend?.kind) {
    case 'simulate':
    case 'shell':
      return undefined
    case 'model':
      return modelProblem(backend, question)
    case 'cli':
      return priced || (await tellsCost(name, backend))
        ? undefined
        : `backend "${name}" does not tell what it costs`
    default:
      return priced ? undefined : `backend "${name}" does not say in advance that it tells what it costs`
  }
}

function backendOf(full: string, settings: Settings): BackendSettings | undefined {
  const own = settings.tutti?.backends ?? {}
  if (Object.hasOwn(own, full)) return own[full]
  const [name = '', argument = ''] = full.split(/:(.*)/s)
  if (name === 'cli' && Object.hasOwn(CLI_PRODUCTS, argument)) return { kind: 'cli', profile: argument }
  if (name === 'acp' && Object.hasOwn(ACP_PRODUCTS, argument)) return { kind: 'acp' }
  if (name === 'simulate' || name === 'shell' || name === 'model' || name === 'scripted')
    return { kind: name }
  return undefined
}

async function tellsCost(name: string, backend: BackendSettings): Promise<boolean> {
  const { chooseProfile } = await import('./cli/choose-profile.ts')
  return (chooseProfile(name, backend).events ?? []).some(({ cost }) => cost !== undefined)
}

async function modelProblem(
  { model: own, env: ownEnv }: BackendSettings,
  { env, settings = {}, model }: CostQuestion,
): Promise<string | undefined> {
  const [{ configuredEndpoint }, { resolveModel }, { createMeter }] = await Promise.all([
    import('./model/endpoint.ts'),
    import('./model/resolve-model.ts'),
    import('./model/cost.ts'),
  ])
  const { prices, models } = settings.tutti ?? {}
  const endpoint = configuredEndpoint({ ...env, ...ownEnv }, ownEnv)
  // That there is none is told elsewhere, with what to do about it.
  if (!endpoint) return undefined
  const id = resolveModel(model ?? own, endpoint, models)
  if (id === undefined) return undefined
  const one = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 }
  return createMeter(endpoint.baseUrl, prices)(one, [id]) === null
    ? `the price of the model "${id}" is not known`
    : undefined
}
