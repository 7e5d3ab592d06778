import type { ChatConfig, ChatTool } from '@tutti/agents/chat'
import type { PermissionSettings } from '@tutti/protocol'
import type { HostState } from './host/host-state.ts'
import type { SessionConfig } from './session-config.ts'
import { HIGH_EFFORT } from './workflow/high-effort.ts'

/** What flags and settings say of the conversation. */
export function firstChatConfig(config: SessionConfig, mode: string): ChatConfig {
  const model = config.model ?? config.settings.model
  return {
    permissions: { ...rulesOf(config), defaultMode: mode },
    extraTools: [],
    ...(model !== undefined && { model }),
    ...(config.fallbackModel !== undefined && { fallbackModel: config.fallbackModel }),
    ...(config.systemPrompt !== undefined && { systemPrompt: config.systemPrompt }),
    ...(config.tools !== undefined && { tools: config.tools }),
    ...(config.jsonSchema !== undefined && { jsonSchema: config.jsonSchema }),
    ...(config.effort !== undefined && config.effort !== HIGH_EFFORT && { effort: config.effort }),
    ...(config.maxThinkingTokens !== undefined && { thinkingTokens: config.maxThinkingTokens }),
    ...(config.maxTurns !== undefined && { maxTurns: config.maxTurns }),
    ...(config.maxBudgetUsd !== undefined && { maxBudgetUsd: config.maxBudgetUsd }),
  }
}

/** What the host's `initialize` changes of it. */
export function hostChatConfig({ systemPrompt, jsonSchema }: Partial<HostState>): Partial<ChatConfig> {
  return {
    ...(systemPrompt !== undefined && { systemPrompt }),
    ...(jsonSchema !== undefined && { jsonSchema }),
  }
}

/** Settings, flags, host and workflows each add to the prompt; undefined when none does. */
export function appendedPrompt(...parts: (string | undefined)[]): string | undefined {
  const given = parts.filter(part => part !== undefined && part.trim() !== '')
  return given.length === 0 ? undefined : given.join('\n\n')
}

/** Tools of workflows first; a tool of the host that takes the name of one is left out. */
export function extraTools(own: readonly ChatTool[], host: readonly ChatTool[]): ChatTool[] {
  const names = new Set(own.map(({ name }) => name))
  return [...own, ...host.filter(({ name }) => !names.has(name))]
}

function rulesOf({ settings, allowedTools, disallowedTools }: SessionConfig): PermissionSettings {
  const { allow = [], ask = [], deny = [] } = settings.permissions ?? {}
  return { allow: [...allow, ...allowedTools], ask, deny: [...deny, ...disallowedTools] }
}
