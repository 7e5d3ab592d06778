import { isJsonObject, type JsonObject, type JsonValue, type PermissionSettings } from '@tutti/protocol'

type Behavior = 'allow' | 'ask' | 'deny'

/**
 * The permissions after what a host answered along with its consent: rules added, replaced or removed, the
 * mode set. Where they are to be stored is not looked at. Other kinds are passed over.
 */
export function updatedPermissions(
  permissions: PermissionSettings,
  updates: readonly JsonValue[],
): PermissionSettings {
  return updates.filter(isJsonObject).reduce(applied, permissions)
}

function applied(permissions: PermissionSettings, update: JsonObject): PermissionSettings {
  const { type, mode } = update
  if (type === 'setMode')
    return typeof mode === 'string' ? { ...permissions, defaultMode: mode } : permissions
  const behavior = behaviorOf(update)
  if (!behavior) return permissions
  const rules = rulesOf(update)
  const known = permissions[behavior] ?? []
  switch (type) {
    case 'addRules':
      return { ...permissions, [behavior]: [...new Set([...known, ...rules])] }
    case 'replaceRules':
      return { ...permissions, [behavior]: rules }
    case 'removeRules':
      return { ...permissions, [behavior]: known.filter(rule => !rules.includes(rule)) }
    default:
      return permissions
  }
}

function behaviorOf({ behavior }: JsonObject): Behavior | undefined {
  return behavior === 'allow' || behavior === 'ask' || behavior === 'deny' ? behavior : undefined
}

function rulesOf({ rules }: JsonObject): string[] {
  return (Array.isArray(rules) ? rules : []).filter(isJsonObject).flatMap(({ toolName, ruleContent }) => {
    if (typeof toolName !== 'string') return []
    return [typeof ruleContent === 'string' && ruleContent !== '' ? `${toolName}(${ruleContent})` : toolName]
  })
}
