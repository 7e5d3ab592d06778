import type { AgentCall } from '@tutti/runtime'
import type { CliProfile } from './profile.ts'

export interface ModelChoice {
  profile: Pick<CliProfile, 'typeModels'>
  model?: string
  models?: Record<string, string>
}

/**
 * The model a call is run with; undefined: the product's default. Models of agent types are names of one vendor,
 * so other products only take them when `models` says what they stand for.
 */
export function modelFor(call: AgentCall, { profile, model, models = {} }: ModelChoice): string | undefined {
  const mapped = (name: string): string => (Object.hasOwn(models, name) ? (models[name] as string) : name)
  const ofType = call.agentType.model
  const typeCounts = ofType !== undefined && (profile.typeModels === true || Object.hasOwn(models, ofType))
  const wanted = [call.model, typeCounts ? ofType : undefined, model].find(
    name => name !== undefined && name !== 'inherit',
  )
  return wanted === undefined ? undefined : mapped(wanted)
}
