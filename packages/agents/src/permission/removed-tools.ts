import type { PermissionSettings } from '@tutti/protocol'
import { parseCommandRule } from './command-rule.ts'
import { parseToolRule } from './tool-rule.ts'

/**
 * Which tools are denied whatever they are used for, so that the model is not told of them. Throws
 * WorkflowInputError `settings-invalid` for rules that cannot be read.
 */
export function removedTools({ deny = [] }: PermissionSettings): (tool: string) => boolean {
  const noCommands = deny.some(rule => parseCommandRule(rule)?.bare)
  const rules = deny.map(rule => parseToolRule(rule, '/')).filter(rule => rule?.bare)
  return tool =>
    tool === 'Bash' ? noCommands : rules.some(rule => rule?.matches(tool, { kind: 'free' }) ?? false)
}
