import { WorkflowInputError } from '@tutti/runtime'

/** How agents stand to what no rule speaks about. */
export type AgentMode = 'acceptEdits' | 'plan' | 'dontAsk' | 'bypassPermissions'

const MODES: Record<string, AgentMode> = {
  default: 'acceptEdits',
  auto: 'acceptEdits',
  acceptEdits: 'acceptEdits',
  plan: 'plan',
  dontAsk: 'dontAsk',
  bypassPermissions: 'bypassPermissions',
}

/** How the conversation of a session stands to it: in `default` it asks for what changes files, too. */
export type SessionMode = AgentMode | 'default'

/** The mode of a session's own conversation. Throws WorkflowInputError `settings-invalid`. */
export function sessionModeOf(mode: string = 'default'): SessionMode {
  return mode === 'default' ? mode : agentModeOf(mode)
}

/** The mode of agents in a session of the given mode. Throws WorkflowInputError `settings-invalid`. */
export function agentModeOf(mode: string = 'default'): AgentMode {
  const found = Object.hasOwn(MODES, mode) ? MODES[mode] : undefined
  if (found) return found
  const known = Object.keys(MODES).join(', ')
  throw new WorkflowInputError(
    'settings-invalid',
    `permissions.defaultMode "${mode}" is unknown; known: ${known}`,
  )
}
