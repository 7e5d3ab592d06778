import { relative } from 'node:path'
import type { PermissionSettings } from '@tutti/protocol'
import { decideCommand, parseCommandRules, ruleForCommand } from '../shell/permission.ts'
import type { Tool, Wish } from '../tools/tool.ts'
import { agentModeOf, type SessionMode } from './mode.ts'
import { removedTools } from './removed-tools.ts'
import { parseToolRule, type ToolRule } from './tool-rule.ts'

/** What rules and mode say about a use of a tool. */
export interface Verdict {
  decision: 'allow' | 'deny' | 'ask'
  source: 'rule' | 'mode' | 'default'
  reason: string
}

/** Decides without asking anybody. */
export interface Policy {
  decide(tool: Pick<Tool, 'name' | 'readOnly'>, wish: Wish): Verdict
  /** The tool is denied whatever it is used for, so the model is not told of it. */
  removes(tool: string): boolean
  /** Reading this file is denied. */
  hides(path: string): boolean
}

/** Places whose files make others run commands. A rule must name them, or a person say yes. */
const PROTECTED = ['.git', '.claude', '.codebuddy', '.mcp.json']

/** Deny, then ask, then allow; then the mode. Throws WorkflowInputError `settings-invalid`. */
export function createPolicy(
  root: string,
  settings: PermissionSettings = {},
  mode: SessionMode = agentModeOf(settings.defaultMode),
): Policy {
  const commands = parseCommandRules(settings)
  const read = (rules: string[] = []): ToolRule[] =>
    rules.map(rule => parseToolRule(rule, root)).filter((rule): rule is ToolRule => rule !== undefined)
  const rules = { deny: read(settings.deny), ask: read(settings.ask), allow: read(settings.allow) }

  function decideByRule(tool: string, wish: Wish): Verdict | undefined {
    if (wish.kind === 'command') {
      const { decision, reason } = decideCommand(wish.command, commands)
      return decision === 'none' ? undefined : { decision, source: 'rule', reason }
    }
    const guarded = wish.kind === 'edit' && isProtected(wish.path, root)
    for (const decision of ['deny', 'ask', 'allow'] as const) {
      const rule = rules[decision].find(
        rule => rule.matches(tool, wish) && !(decision === 'allow' && guarded && rule.bare),
      )
      if (rule) return { decision, source: 'rule', reason: `rule ${rule.text}` }
    }
    return undefined
  }

  return {
    decide(tool, wish) {
      const byRule = decideByRule(tool.name, wish)
      if (byRule && byRule.decision !== 'allow') return byRule
      if (mode === 'plan' && !tool.readOnly) return byMode('deny', 'only reading is allowed', mode)
      if (mode === 'bypassPermissions') return byMode('allow', 'all is allowed', mode)
      if (byRule) return byRule
      if (wish.kind === 'free' || wish.kind === 'read')
        return { decision: 'allow', source: 'default', reason: 'it changes nothing and stays in the project' }
      if (wish.kind === 'edit' && mode === 'acceptEdits' && !isProtected(wish.path, root))
        return byMode('allow', 'files of the project may be changed', mode)
      if (mode === 'dontAsk') return byMode('deny', `no rule allows it; ${adviceOn(tool.name, wish)}`, mode)
      return { decision: 'ask', source: 'default', reason: `no rule allows it; ${adviceOn(tool.name, wish)}` }
    },
    removes: removedTools(settings),
    hides: path => rules.deny.some(rule => rule.matches('Read', { kind: 'read', path })),
  }
}

function byMode(decision: 'allow' | 'deny', reason: string, mode: SessionMode): Verdict {
  return { decision, source: 'mode', reason: `${reason} in mode ${mode}` }
}

function isProtected(path: string, root: string): boolean {
  return relative(root, path)
    .split(/[/\\]/)
    .some(name => PROTECTED.includes(name.toLowerCase()))
}

function adviceOn(tool: string, wish: Wish): string {
  const rule =
    wish.kind === 'command'
      ? ruleForCommand(wish.command)
      : wish.kind === 'fetch'
        ? `WebFetch(domain:${wish.host})`
        : wish.kind === 'edit'
          ? 'Edit(.claude/**)'
          : tool
  return `allow it with a rule such as "${rule}" under permissions.allow`
}
