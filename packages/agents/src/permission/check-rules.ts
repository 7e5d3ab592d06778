import type { PermissionSettings } from '@tutti/protocol'
import { parseCommandRule } from './command-rule.ts'
import { sessionModeOf } from './mode.ts'
import { parseToolRule } from './tool-rule.ts'

/** Throws WorkflowInputError `settings-invalid` for a rule or mode that cannot be read. */
export function checkPermissions({ allow = [], ask = [], deny = [], defaultMode }: PermissionSettings): void {
  sessionModeOf(defaultMode)
  for (const rule of [...allow, ...ask, ...deny]) if (!parseCommandRule(rule)) parseToolRule(rule, '/')
}
