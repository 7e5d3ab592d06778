import { resolve } from 'node:path'
import type { McpServerSettings, Settings } from '@tutti/protocol'
import type { SessionConfig } from '@tutti/session'
import { jsonOrFile, textOf } from './json-or-file.ts'
import { mcpServersOf } from './mcp-servers.ts'
import type { SessionFlags } from './session-flags.ts'

export interface ConfigSources {
  settings: Settings
  env: Record<string, string | undefined>
  cwd: string
}

/** What flags, settings and environment say about a session. Throws UsageError for files that cannot be used. */
export async function sessionConfig(
  flags: SessionFlags,
  { settings, env, cwd }: ConfigSources,
): Promise<SessionConfig> {
  const [systemPrompt, appendSystemPrompt, jsonSchema, mcpServers] = await Promise.all([
    fromFile(flags.systemPromptFile, '--system-prompt-file', cwd),
    fromFile(flags.appendSystemPromptFile, '--append-system-prompt-file', cwd),
    flags.jsonSchema === undefined ? undefined : jsonOrFile(flags.jsonSchema, '--json-schema', cwd),
    mcpServersOf(flags.mcpConfig, cwd),
  ])
  return {
    settings: withServers(settings, mcpServers, flags.strictMcpConfig),
    model: flags.model ?? settings.model,
    fallbackModel: flags.fallbackModel,
    permissionMode: flags.permissionMode ?? settings.permissions?.defaultMode ?? 'default',
    allowedTools: flags.allowedTools,
    disallowedTools: flags.disallowedTools,
    tools: flags.tools,
    systemPrompt: systemPrompt ?? flags.systemPrompt,
    appendSystemPrompt: appendSystemPrompt ?? flags.appendSystemPrompt,
    maxTurns: flags.maxTurns,
    maxBudgetUsd: flags.maxBudgetUsd,
    jsonSchema,
    includePartialMessages: flags.includePartialMessages,
    includeHookEvents: flags.includeHookEvents,
    mcpServers,
    strictMcpConfig: flags.strictMcpConfig,
    permissionPromptTool: flags.noPermissionPrompts ? undefined : flags.permissionPromptTool,
    effort: flags.effort,
    maxThinkingTokens: flags.maxThinkingTokens ?? thinkingTokensOf(env),
    additionalDirectories: flags.addDirs.map(path => resolve(cwd, path)),
    agent: flags.agent,
    print: flags.inputFormat === 'text',
    maxWaitMs: flags.maxWaitMs,
  }
}

/** The servers of the flags hold for agents of workflows as well. */
function withServers(settings: Settings, given: Record<string, McpServerSettings>, only: boolean): Settings {
  if (!only) return { ...settings, mcpServers: { ...settings.mcpServers, ...given } }
  const { enabledMcpjsonServers: _some, enableAllProjectMcpServers: _all, ...rest } = settings
  return { ...rest, mcpServers: given }
}

/** One family of clients gives it in the environment. */
function thinkingTokensOf(env: ConfigSources['env']): number | undefined {
  const text = env['MAX_THINKING_TOKENS']?.trim() ?? ''
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

async function fromFile(file: string | undefined, flag: string, cwd: string): Promise<string | undefined> {
  return file === undefined ? undefined : await textOf(file, flag, cwd)
}
