import { realpath } from 'node:fs/promises'
import { dirname, isAbsolute, relative, resolve } from 'node:path'
import type { PermissionSettings } from '@tutti/protocol'
import type { AgentContext, PermissionAnswer, PermissionQuestion } from '@tutti/runtime'
import { STRUCTURED_OUTPUT } from '../hand-in/structured-output.ts'
import { decideCommand, parseCommandRules, ruleForCommand, type CommandRules } from '../shell/permission.ts'

/** Decides what agents may do when they ask. */
export type Decide = (question: PermissionQuestion, at: Asking) => Promise<PermissionAnswer>

export interface Asking {
  cwd: string
  /** The tools the agent is limited to; undefined: all. */
  tools: string[] | undefined
  permission: AgentContext['permission']
}

const HARMLESS = new Set(['Read', 'Grep', 'Glob', 'TodoWrite'])

/**
 * Deny, then ask, then allow. Without a rule reading is allowed, and so are edits below the working directory;
 * the rest needs somebody who says yes. Throws WorkflowInputError `settings-invalid`.
 */
export function createDecision(settings: PermissionSettings = {}): Decide {
  const commands = parseCommandRules(settings)
  return async (question, at) => {
    const { tool } = question
    if (tool === STRUCTURED_OUTPUT)
      return { allowed: true, reason: 'the tool for the result', source: 'default' }
    if (at.tools && !at.tools.some(name => nameOf(name) === tool))
      return { allowed: false, reason: `the agent is limited to ${at.tools.join(', ')}` }
    const { decision, reason } =
      tool === 'Bash' ? ofCommand(question, commands) : await ofTool(question, settings, at.cwd)
    if (decision === 'allow') return { allowed: true, reason }
    if (decision === 'deny') return { allowed: false, reason }
    const answer = await at.permission?.({ ...question, why: reason })
    if (answer) return { source: 'person', ...answer }
    const rule = tool === 'Bash' ? ruleForCommand(commandIn(question)) : tool
    return {
      allowed: false,
      reason: `${reason}, and nobody is there to ask; allow it with a rule such as "${rule}" under permissions.allow`,
      source: 'nobody',
    }
  }
}

interface Decision {
  decision: 'allow' | 'deny' | 'ask' | 'none'
  reason: string
}

function commandIn({ input }: Pick<PermissionQuestion, 'input'>): string {
  const { command } = input
  return typeof command === 'string' ? command : ''
}

function ofCommand({ input }: PermissionQuestion, rules: CommandRules): Decision {
  return decideCommand(commandIn({ input }), rules)
}

/** A denial with a specifier holds for the whole tool here: better too much than too little. */
async function ofTool(
  { tool, input }: PermissionQuestion,
  settings: PermissionSettings,
  cwd: string,
): Promise<Decision> {
  const matching = (rules: string[] = []): string | undefined =>
    rules.find(rule => sameTool(nameOf(rule), tool))
  const denied = matching(settings.deny)
  if (denied !== undefined) return { decision: 'deny', reason: `rule ${denied}` }
  const asked = matching(settings.ask)
  if (asked !== undefined) return { decision: 'ask', reason: `rule ${asked}` }
  if ((settings.allow ?? []).some(rule => !rule.includes('(') && sameTool(rule.trim(), tool)))
    return { decision: 'allow', reason: 'allowed by rules' }
  if (HARMLESS.has(tool)) return { decision: 'allow', reason: 'it only reads' }
  if (tool === 'Edit') {
    const path = input['file_path']
    if (typeof path === 'string' && (await isBelow(cwd, path)))
      return { decision: 'allow', reason: 'edits are accepted in the working directory' }
  }
  return { decision: 'none', reason: `no rule allows ${tool}` }
}

function nameOf(rule: string): string {
  return rule.replace(/\(.*/s, '').trim()
}

function sameTool(rule: string, tool: string): boolean {
  if (rule === tool) return true
  const writes = ['Edit', 'Write', 'MultiEdit', 'NotebookEdit']
  const reads = ['Grep', 'Glob', 'LS']
  return [writes, reads].some(family => family.includes(rule) && family.includes(tool))
}

/** Symbolic links followed, as far as the path exists. */
async function isBelow(cwd: string, path: string): Promise<boolean> {
  const way = relative(await realpath(cwd), await realAncestor(resolve(cwd, path)))
  return way !== '..' && !way.startsWith('../') && !isAbsolute(way)
}

async function realAncestor(path: string): Promise<string> {
  const found = await realpath(path).catch(() => undefined)
  if (found !== undefined || dirname(path) === path) return found ?? path
  return realAncestor(dirname(path))
}
