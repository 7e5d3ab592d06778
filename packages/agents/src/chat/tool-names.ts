import { removedTools } from '../permission/removed-tools.ts'
import { STRUCTURED_OUTPUT } from '../model/structured-output.ts'
import { BUILT_IN_NAMES, isNamed } from '../tools/names.ts'
import type { ChatConfig } from './types.ts'

/** Names of the tools that the model is told of; `servers` are those of the servers on our side. */
export function toolNamesOf(config: ChatConfig, servers: readonly string[]): string[] {
  const { extraTools, tools, permissions, jsonSchema } = config
  const builtIn = BUILT_IN_NAMES.filter(name => isNamed(name, tools))
  const names = new Set([...extraTools.map(({ name }) => name), ...builtIn, ...servers])
  const removed = removedTools(permissions)
  const offered = [...names].filter(name => !removed(name))
  return jsonSchema ? [...offered, STRUCTURED_OUTPUT] : offered
}
