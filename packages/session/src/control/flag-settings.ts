import { checkPermissions } from '@tutti/agents'
import type { ChatConfig } from '@tutti/agents/chat'
import type { JsonObject, JsonValue, PermissionSettings } from '@tutti/protocol'
import { asFlag, asObject, asText, asTexts } from '../json-fields.ts'
import { permissionModeOf } from '../permission-mode.ts'

const EFFORTS: readonly string[] = ['minimal', 'low', 'medium', 'high', 'xhigh', 'max']
const RULES = ['allow', 'ask', 'deny'] as const

/**
 * What settings of a host change in the conversation, but for the model. Throws for the first key that cannot be
 * meant, and names it; keys that say nothing about the conversation are passed over.
 */
export function readFlagSettings(settings: JsonObject, permissions: PermissionSettings): Partial<ChatConfig> {
  const effort = field(settings, 'effortLevel', asEffort, `one of ${EFFORTS.join(', ')}`)
  const thinks = field(settings, 'alwaysThinkingEnabled', asFlag, 'true or false')
  const given = field(settings, 'permissions', asObject, 'an object')
  return {
    ...('effortLevel' in settings && { effort }),
    ...(thinks === false && { thinkingTokens: 0 }),
    ...(given !== undefined && { permissions: readPermissions(given, permissions) }),
  }
}

function readPermissions(given: JsonObject, before: PermissionSettings): PermissionSettings {
  const permissions = { ...before }
  for (const name of RULES) {
    const rules = field(given, name, allTexts, 'a list of texts', 'permissions.')
    if (rules !== undefined) permissions[name] = rules
  }
  const mode = field(given, 'defaultMode', asText, 'a text', 'permissions.')
  if (mode !== undefined) permissions.defaultMode = permissionModeOf(mode)
  checkPermissions(permissions)
  return permissions
}

/** Null is the same as nothing. */
function field<T>(
  object: JsonObject,
  name: string,
  read: (value: JsonValue | undefined) => T | undefined,
  ...[kind, prefix = '']: [kind: string, prefix?: string]
): T | undefined {
  const value = object[name]
  if (value === undefined || value === null) return undefined
  const found = read(value)
  if (found === undefined) throw new Error(`apply_flag_settings: ${prefix}${name} must be ${kind}`)
  return found
}

function asEffort(value: JsonValue | undefined): string | undefined {
  return EFFORTS.find(effort => effort === value)
}

function allTexts(value: JsonValue | undefined): string[] | undefined {
  const texts = asTexts(value)
  return Array.isArray(value) && texts?.length === value.length ? texts : undefined
}
