import type { PermissionSettings } from '@tutti/protocol'

/** Whether a workflow may be launched, as far as that can be said without asking. */
export type LaunchRuling =
  | { decision: 'allow' }
  /** `required`: says who has it asked for, so it is denied where nobody is there. */
  | { decision: 'ask'; required?: string }
  | { decision: 'deny'; reason: string }

export interface LaunchFacts {
  /** `meta.name`. */
  name: string
  /** The script is, letter by letter, the saved workflow of that name: only then a rule may allow it by name. */
  saved: boolean
  /** The script was approved before, for good. */
  approved: boolean
  /** A hook has allowed this launch. */
  allowedByHook: boolean
  /** A hook wants somebody to be asked about it. */
  askedByHook: boolean
  rules: PermissionSettings
  mode: string
}

/** Deny, then ask, then allow, by rule or hook; then the mode; then what was approved before. */
export function ruleOnLaunch(facts: LaunchFacts): LaunchRuling {
  const ruling = withoutAskingHook(facts)
  if (!facts.askedByHook || ruling.decision === 'deny') return ruling
  return { required: 'a hook has it asked for', ...ruling, decision: 'ask' }
}

function withoutAskingHook(facts: LaunchFacts): LaunchRuling {
  const { name, saved, approved, allowedByHook, rules, mode } = facts
  const denying = rules.deny?.find(rule => matches(rule, name))
  if (denying !== undefined) return { decision: 'deny', reason: `rule ${denying.trim()} denies it` }
  const asking = rules.ask?.find(rule => matches(rule, name))
  if (asking !== undefined) return { decision: 'ask', required: `rule ${asking.trim()} has it asked for` }
  if (rules.allow?.some(rule => isBare(rule) || (saved && matches(rule, name))) === true) {
    return { decision: 'allow' }
  }
  if (allowedByHook || mode === 'bypassPermissions') return { decision: 'allow' }
  if (mode === 'dontAsk') {
    return {
      decision: 'deny',
      reason: `in mode dontAsk a rule has to allow it, such as "Workflow(${name})" for the saved workflow of that name`,
    }
  }
  return approved ? { decision: 'allow' } : { decision: 'ask' }
}

const RULE = /^(?:Workflow|RunWorkflow)(?:\((.*)\))?$/s

/** The name that a rule about this tool speaks of, `*` for any; undefined for a rule about another tool. */
function subject(rule: string): string | undefined {
  const match = RULE.exec(rule.trim())
  return match === null ? undefined : match[1]?.trim() || '*'
}

function isBare(rule: string): boolean {
  return subject(rule) === '*'
}

function matches(rule: string, name: string): boolean {
  const wanted = subject(rule)
  if (wanted === undefined) return false
  return wanted.endsWith('*') ? name.startsWith(wanted.replace(/:?\*$/, '')) : wanted === name
}
