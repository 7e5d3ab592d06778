import type { ModelInfo } from '@tutti/protocol'
import type { Project } from '../setup/project.ts'

/** The models that a host is offered: the default, and the names that the settings give. */
export function modelList({ settings }: Pick<Project, 'settings'>): ModelInfo[] {
  const { model, tutti } = settings
  return [
    { value: 'default', displayName: 'Default', description: model ?? 'the model of the endpoint' },
    ...Object.entries(tutti?.models ?? {}).map(([value, id]) => ({
      value,
      displayName: value,
      description: id,
    })),
  ]
}
