import type { PermissionSettings } from '@tutti/protocol'
import { splitCommand, type CommandPart, type CommandParts } from './command-parts.ts'
import { programName, scriptWithin, whyHidden, WRAPPERS } from './hidden-command.ts'
import { parseCommandRule, type CommandRule } from '../permission/command-rule.ts'

/** The rules about commands. */
export interface CommandRules {
  deny: CommandRule[]
  ask: CommandRule[]
  allow: CommandRule[]
}

/** What the rules say. `none`: no rule allows some part of it. */
export interface CommandDecision {
  decision: 'allow' | 'deny' | 'ask' | 'none'
  reason: string
}

/** Takes the rules about commands from the settings. Throws WorkflowInputError `settings-invalid`. */
export function parseCommandRules(settings: PermissionSettings = {}): CommandRules {
  const read = (rules: string[] = []): CommandRule[] =>
    rules.map(parseCommandRule).filter((rule): rule is CommandRule => rule !== undefined)
  return { deny: read(settings.deny), ask: read(settings.ask), allow: read(settings.allow) }
}

/**
 * Deny, then ask, then allow; the first kind with a match wins. A denied part denies the whole; to allow it,
 * every part must be allowed.
 */
export function decideCommand(command: string, rules: CommandRules): CommandDecision {
  const split = splitCommand(command)
  if ('unreadable' in split) return decideUnreadable(command, split.unreadable, rules)
  const parts = split.parts
  for (const [decision, list] of [
    ['deny', rules.deny],
    ['ask', rules.ask],
  ] as const) {
    for (const part of parts) {
      const rule = firstMatch(list, spellings(part))
      if (rule) return { decision, reason: `rule ${rule.text} on "${shorten(part.text)}"` }
    }
  }
  if (rules.deny.length > 0 || rules.ask.length > 0) {
    const hidden = parts.map(part => whyHidden(part.command)).find(why => why !== undefined)
    if (hidden !== undefined) return decideUnreadable(command, hidden, rules)
  }
  if (isAllowedWhole(command, rules)) return { decision: 'allow', reason: 'allowed by rules' }
  const foreign = parts.find(part => !isAllowed(part, rules.allow))
  if (foreign) return { decision: 'none', reason: `no rule allows "${shorten(foreign.text)}"` }
  return { decision: 'allow', reason: 'allowed by rules' }
}

function decideUnreadable(command: string, why: string, rules: CommandRules): CommandDecision {
  const reason = `the command cannot be checked against the rules: ${why}`
  if (rules.deny.length > 0) return { decision: 'deny', reason }
  if (rules.ask.length > 0) return { decision: 'ask', reason }
  return { decision: isAllowedWhole(command, rules) ? 'allow' : 'none', reason }
}

function isAllowedWhole(command: string, { allow }: CommandRules): boolean {
  return allow.some(rule => rule.bare || rule.text === `Bash(${command.trim()})`)
}

/** A rule about a command does not cover variables it is given, nor files it is redirected into. */
function isAllowed(part: CommandPart, allow: CommandRule[]): boolean {
  const plainUse = !part.assigns && !part.writes
  return allow.some(
    rule => rule.bare || rule.text === `Bash(${part.text})` || (plainUse && rule.matches(part.words)),
  )
}

function firstMatch(rules: CommandRule[], texts: string[]): CommandRule | undefined {
  return rules.find(rule => texts.some(text => rule.matches(text)))
}

const DEEPEST = 5

/** The ways to name what a part runs, so that a denial holds for `/bin/rm`, `sudo rm` and `sh -c "rm"` too. */
function spellings(part: CommandPart, depth = 0): string[] {
  const found = [part.text, part.words]
  for (let words = part.command; words.length > 0; words = words.slice(1)) {
    const [first, ...rest] = words
    const name = first ? programName(first) : ''
    const args = rest.map(({ plain }) => plain)
    found.push([first?.plain, ...args].join(' '), [name, ...args].join(' '))
    if (depth < DEEPEST) found.push(...nestedSpellings(scriptWithin(name, rest), depth))
    if (!WRAPPERS.has(name) && words === part.command) break
  }
  return found
}

function nestedSpellings(script: string | undefined, depth: number): string[] {
  if (script === undefined) return []
  const split: CommandParts = splitCommand(script)
  return 'parts' in split ? split.parts.flatMap(part => spellings(part, depth + 1)) : []
}

/** A rule that allows exactly this command; where it is too long to be told, one of the kind that could. */
export function ruleForCommand(command: string): string {
  const text = command.trim()
  return text !== '' && text.length <= 120 && !/[\n*]/.test(text) ? `Bash(${text})` : 'Bash(npm test:*)'
}

function shorten(text: string): string {
  return text.length > 120 ? `${text.slice(0, 119)}…` : text
}
