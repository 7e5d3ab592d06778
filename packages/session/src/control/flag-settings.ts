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
  const effort = field(settings, 'effortLevel', EFFORT)
  const thinks = field(settings, 'alwaysThinkingEnabled', FLAG)
  const given = field(settings, 'permissions', OBJECT)
  return {
    ...('effortLevel' in settings && { effort }),
    ...(thinks === false && { thinkingTokens: 0 }),
    ...(given !== undefined && { permissions: readPermissions(given, permissions) }),
  }
}

function readPermissions(given: JsonObject, before: PermissionSettings): PermissionSettings {
  const permissions = { ...before }
  for (const name of RULES) {
    const rules = field(given, `permissions.${name}`, TEXTS)
    if (rules !== undefined) permissions[name] = rules
  }
  const mode = field(given, 'permissions.defaultMode', TEXT)
  if (mode !== undefined) permissions.defaultMode = permissionModeOf(mode)
  checkPermissions(permissions)
  return permissions
}

interface Kind<T> {
  read(value: JsonValue | undefined): T | undefined
  /** What it has to be. */
  words: string
}

const TEXT: Kind<string> = { read: asText, words: 'a text' }
const FLAG: Kind<boolean> = { read: asFlag, words: 'true or false' }
const OBJECT: Kind<JsonObject> = { read: asObject, words: 'an object' }
const TEXTS: Kind<string[]> = { read: allTexts, words: 'a list of texts' }
const EFFORT: Kind<string> = { read: asEffort, words: `one of ${EFFORTS.join(', ')}` }

/** The value at the last name of a path; null is the same as nothing. */
function field<T>(object: JsonObject, path: string, { read, words }: Kind<T>): T | undefined {
  const value = object[path.slice(path.lastIndexOf('.') + 1)]
  if (value === undefined || value === null) return undefined
  const found = read(value)
  if (found === undefined) throw new Error(`apply_flag_settings: ${path} must be ${words}`)
  return found
}

function asEffort(value: JsonValue | undefined): string | undefined {
  return EFFORTS.find(effort => effort === value)
}

function allTexts(value: JsonValue | undefined): string[] | undefined {
  const texts = asTexts(value)
  return Array.isArray(value) && texts?.length === value.length ? texts : undefined
}
