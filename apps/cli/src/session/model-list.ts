import type { ModelInfo } from '@tutti/protocol'
import type { Project } from '../setup/project.ts'
import { chatEndpoint } from './chat-endpoint.ts'

/** The models that a host is offered: the default, and the names that the endpoint and the settings know. */
export function modelList(project: Pick<Project, 'env' | 'settings'>): ModelInfo[] {
  const { model, tutti } = project.settings
  const endpoint = chatEndpoint(project)
  const names = Object.entries({ ...endpoint?.aliases, ...tutti?.models })
  return [
    {
      value: 'default',
      displayName: 'Default',
      description: model ?? endpoint?.model ?? 'none is configured',
    },
    ...names.map(([value, id]) => ({ value, displayName: value, description: id })),
  ]
}
