import type { ChatPermissionAnswer } from '@tutti/agents/chat'
import type { JsonObject } from '@tutti/protocol'
import { asObject, asText } from '../json-fields.ts'

/** Reads the answer to `can_use_tool` in the words of either client family; what is neither denies. */
export function readPermissionAnswer(response: JsonObject): ChatPermissionAnswer {
  const { behavior, allowed } = response
  if (behavior === 'allow' || (behavior === undefined && allowed === true)) {
    const updatedInput = asObject(response['updatedInput'])
    const updates = response['updatedPermissions']
    return {
      allowed: true,
      ...(updatedInput !== undefined && { updatedInput }),
      ...(Array.isArray(updates) && { updatedPermissions: updates }),
    }
  }
  if (behavior === 'deny' || (behavior === undefined && allowed === false)) {
    const reason = asText(response['message']) ?? asText(response['reason']) ?? 'it was denied'
    return { allowed: false, reason, ...(response['interrupt'] === true && { interrupt: true }) }
  }
  return { allowed: false, reason: 'the answer to can_use_tool says neither allow nor deny' }
}
