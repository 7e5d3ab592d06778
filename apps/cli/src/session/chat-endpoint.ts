import { configuredEndpoint, type Endpoint } from '@tutti/agents/chat'
import type { BackendSettings, Settings } from '@tutti/protocol'
import type { Project } from '../setup/project.ts'

/** The model endpoint of a session: that of the chosen backend where it is one, else the environment's. */
export function chatEndpoint({ env, settings }: Pick<Project, 'env' | 'settings'>): Endpoint | undefined {
  const own = modelBackend(settings)
  const endpoint = configuredEndpoint(env, own?.env)
  return endpoint !== undefined && own?.model !== undefined ? { ...endpoint, model: own.model } : endpoint
}

function modelBackend({ tutti }: Settings): BackendSettings | undefined {
  const all = tutti?.backends ?? {}
  const names = [tutti?.backend, 'model'].filter(name => name !== undefined)
  return names
    .map(name => (Object.hasOwn(all, name) ? all[name] : undefined))
    .find(backend => backend?.kind === 'model')
}
