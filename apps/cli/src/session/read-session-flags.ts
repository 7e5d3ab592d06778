import { clip } from '@tutti/protocol'
import { dollars, duration, wholeNumber } from '../command-line/option-values.ts'
import { safeLine } from '../render/text-width.ts'
import { UsageError } from '../usage-error.ts'
import type { SessionFlagName } from './flag-table.ts'
import { choice, filled, given, isOn } from './flag-values.ts'
import type { ParsedFlags } from './parse-flags.ts'
import type { SessionFlags, SettingSource } from './session-flags.ts'
import { toolList } from './tool-list.ts'

const MOST_NAMED = 20

/** Looks at every value. Throws UsageError for one that cannot be meant. */
export function readSessionFlags(parsed: ParsedFlags): SessionFlags {
  const notes = unknownFlags(parsed.unknown)
  const last = (name: SessionFlagName): string | undefined => parsed.given.get(name)?.at(-1)
  const text = (name: SessionFlagName): string | undefined => filled(last(name))
  const list = (name: SessionFlagName): string[] =>
    (parsed.given.get(name) ?? []).filter(value => value !== undefined)
  const on = (name: SessionFlagName): boolean => parsed.given.has(name) && isOn(`--${name}`, last(name))

  const printed = list('print').filter(word => word !== 'true' && word !== 'false')
  const words = [...printed, ...parsed.words]
  return {
    prompt: words.length > 0 ? words.join(' ') : undefined,
    print: printed.length > 0 || on('print'),
    inputFormat: choice(last('input-format'), '--input-format', ['text', 'stream-json']) ?? 'text',
    outputFormat: choice(last('output-format'), '--output-format', ['text', 'json', 'stream-json']) ?? 'text',
    formatGiven: parsed.given.has('input-format') || parsed.given.has('output-format'),
    verbose: on('verbose'),
    includePartialMessages: on('include-partial-messages'),
    includeHookEvents: on('include-hook-events'),
    replayUserMessages: on('replay-user-messages'),
    dialect: choice(text('dialect'), '--dialect', ['auto', 'codebuddy', 'claude-code']),
    maxWaitMs: given(text('max-wait'), value =>
      value === 'none' ? undefined : duration('--max-wait')(value),
    ),

    model: text('model'),
    fallbackModel: text('fallback-model'),
    effort: choice(text('effort'), '--effort', EFFORTS),
    maxThinkingTokens: thinkingTokens(text('thinking'), text('max-thinking-tokens')),
    systemPrompt: last('system-prompt'),
    systemPromptFile: text('system-prompt-file'),
    appendSystemPrompt: text('append-system-prompt'),
    appendSystemPromptFile: text('append-system-prompt-file'),
    maxTurns: given(text('max-turns'), wholeNumber('--max-turns')),
    maxBudgetUsd: given(text('max-budget-usd'), dollars('--max-budget-usd')),
    jsonSchema: text('json-schema'),
    agent: text('agent'),
    agents: text('agents'),
    backend: text('backend'),

    permissionMode: on('dangerously-skip-permissions')
      ? 'bypassPermissions'
      : given(text('permission-mode'), mode => permissionMode(mode, notes)),
    permissionPromptTool: text('permission-prompt-tool'),
    noPermissionPrompts: text('permission-prompts') === 'none',
    allowedTools: toolList(list('allowedTools')),
    disallowedTools: toolList(list('disallowedTools')),
    tools: parsed.given.has('tools') ? builtInTools(list('tools')) : undefined,
    addDirs: list('add-dir').filter(word => word !== ''),
    mcpConfig: list('mcp-config').filter(word => word.trim() !== ''),
    strictMcpConfig: on('strict-mcp-config'),
    settings: text('settings'),
    settingSources: given(last('setting-sources'), settingSources),
    trustProject: on('trust-project'),
    allowShell: on('allow-shell'),

    resume: parsed.given.has('resume') ? (text('resume') ?? true) : on('continue') ? true : undefined,
    sessionId: text('session-id'),
    forkSession: on('fork-session'),
    resumeSessionAt: text('resume-session-at'),
    persistence: !on('no-session-persistence'),

    help: on('help'),
    version: on('version'),
    notes,
  }
}

const EFFORTS = ['minimal', 'low', 'medium', 'high', 'xhigh', 'max', 'ultracode'] as const
const MODES = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions', 'auto'] as const
/** Names that one family of clients has besides. */
const OTHER_MODES: Record<string, (typeof MODES)[number]> = {
  fullAccess: 'bypassPermissions',
  delegate: 'default',
}

/** A host may never read what is written here, so it is bounded. */
function unknownFlags(flags: string[]): string[] {
  const named = flags.slice(0, MOST_NAMED)
  const notes = named.map(flag => `the flag ${clip(safeLine(flag), 100)} is not known and is ignored`)
  const more = flags.length - named.length
  return more === 0 ? notes : [...notes, `${more} more flags are not known and are ignored`]
}

function permissionMode(mode: string, notes: string[]): string | undefined {
  const same = Object.hasOwn(OTHER_MODES, mode) ? OTHER_MODES[mode] : undefined
  if (same === undefined) return choice(mode, '--permission-mode', MODES)
  notes.push(`--permission-mode ${mode} is taken as ${same}`)
  return same
}

/** `disabled` is no tokens; `adaptive` leaves it to the model unless a number says how many. */
function thinkingTokens(thinking: string | undefined, tokens: string | undefined): number | undefined {
  if (choice(thinking, '--thinking', ['adaptive', 'enabled', 'disabled']) === 'disabled') return 0
  if (tokens === undefined) return undefined
  if (/^\d+$/.test(tokens) && Number.isSafeInteger(Number(tokens))) return Number(tokens)
  throw new UsageError(`--max-thinking-tokens must be a whole number, not "${tokens.slice(0, 80)}"`)
}

/** `default` stands for all of them. */
function builtInTools(words: string[]): string[] | undefined {
  const tools = toolList(words)
  return tools.includes('default') ? undefined : tools
}

function settingSources(text: string): SettingSource[] {
  if (text.trim() === '' || text === 'none') return []
  const sources = text.split(',').map(word => choice(word.trim(), '--setting-sources', SOURCES))
  return sources.filter(source => source !== undefined)
}

const SOURCES = ['user', 'project', 'local'] as const
