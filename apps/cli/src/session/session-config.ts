import type { Settings } from '@tutti/protocol'
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
    promptOf(flags.systemPrompt, flags.systemPromptFile, '--system-prompt-file', cwd),
    promptOf(flags.appendSystemPrompt, flags.appendSystemPromptFile, '--append-system-prompt-file', cwd),
    flags.jsonSchema === undefined ? undefined : jsonOrFile(flags.jsonSchema, '--json-schema', cwd),
    mcpServersOf(flags.mcpConfig, cwd),
  ])
  return {
    settings,
    model: flags.model ?? settings.model,
    fallbackModel: flags.fallbackModel,
    permissionMode: flags.permissionMode ?? settings.permissions?.defaultMode ?? 'default',
    allowedTools: flags.allowedTools,
    disallowedTools: flags.disallowedTools,
    tools: flags.tools,
    systemPrompt,
    appendSystemPrompt,
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
    additionalDirectories: flags.addDirs,
    agent: flags.agent,
    print: flags.inputFormat === 'text',
    maxWaitMs: flags.maxWaitMs,
  }
}

/** One family of clients gives it in the environment. */
function thinkingTokensOf(env: ConfigSources['env']): number | undefined {
  const text = env['MAX_THINKING_TOKENS']?.trim() ?? ''
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

async function promptOf(
  text: string | undefined,
  file: string | undefined,
  flag: string,
  cwd: string,
): Promise<string | undefined> {
  return file === undefined ? text : await textOf(file, flag, cwd)
}
