import type { ChatConfig } from '@tutti/agents/chat'
import type { JsonObject, JsonValue } from '@tutti/protocol'
import { asObject, asText } from '../json-fields.ts'
import { PERMISSION_MODES, permissionModeOf } from '../permission-mode.ts'
import type { SessionParts } from '../session-parts.ts'
import type { Handler } from './control-desk.ts'
import { readFlagSettings } from './flag-settings.ts'

/** Requests about model, mode and thinking. */
export function conversationHandlers(parts: SessionParts): Record<string, Handler> {
  const { options, chat } = parts
  const change = createChanges(parts)
  return {
    set_permission_mode({ mode }) {
      chat.change(change.mode(mode))
      return { mode: asText(mode) ?? '' }
    },
    set_model({ model }) {
      chat.change(change.model(model))
      return {}
    },
    set_max_thinking_tokens({ max_thinking_tokens: tokens }) {
      chat.change(change.thinkingTokens(tokens))
      return {}
    },
    set_config(request) {
      const config = asObject(request['config'])
      if (config === undefined) throw new Error('set_config needs an object "config"')
      return { session_id: options.sessionId, ...applyConfig(parts, config) }
    },
    apply_flag_settings(request) {
      const settings = asObject(request['settings'])
      if (settings === undefined) throw new Error('apply_flag_settings needs an object "settings"')
      chat.change({
        ...readFlagSettings(settings, chat.config.permissions),
        ...(settings['model'] !== undefined && change.model(settings['model'])),
      })
      return {}
    },
    get_available_modes: () => ({ availableModes: PERMISSION_MODES.map(mode => ({ ...mode })) }),
    async get_available_models() {
      const models = await options.models()
      return {
        availableModels: models.map(({ value, displayName, description }) => ({
          modelId: value,
          name: displayName,
          description,
        })),
        rawModels: models.map(({ value, displayName, description }) => ({
          id: value,
          name: displayName,
          description,
        })),
      }
    },
    async list_models() {
      const models = await options.models()
      return { models: models.map(model => ({ ...model })) }
    },
  }
}

interface Changes {
  mode(value: JsonValue | undefined): Pick<ChatConfig, 'permissions'>
  model(value: JsonValue | undefined): Partial<ChatConfig>
  thinkingTokens(value: JsonValue | undefined): Partial<ChatConfig>
}

/** Each throws for a value that cannot be meant. */
function createChanges({ chat, options }: SessionParts): Changes {
  const { config } = options
  return {
    mode(value) {
      if (typeof value !== 'string') throw new Error('the permission mode must be a text')
      return { permissions: { ...chat.config.permissions, defaultMode: permissionModeOf(value) } }
    },
    model(value) {
      if (value === undefined || value === null) return { model: config.model ?? config.settings.model }
      if (typeof value !== 'string' || value.trim() === '') throw new Error('the model must be a text')
      return { model: value }
    },
    thinkingTokens(value) {
      if (value === null) return { thinkingTokens: undefined }
      if (typeof value !== 'number' || value < 0)
        throw new Error('max_thinking_tokens must be a number from 0 on, or null')
      return { thinkingTokens: Math.floor(value) }
    },
  }
}

/** What of it could be applied, and what was wrong with the rest. */
function applyConfig(
  parts: SessionParts,
  config: JsonObject,
): { updated: JsonObject; errors?: Record<string, string> } {
  const change = createChanges(parts)
  const known: Record<string, (value: JsonValue) => Partial<ChatConfig>> = {
    model: change.model,
    permissionMode: change.mode,
    mode: change.mode,
    maxThinkingTokens: change.thinkingTokens,
  }
  const updated: JsonObject = {}
  const errors: Record<string, string> = {}
  for (const [name, value] of Object.entries(config)) {
    const read = Object.hasOwn(known, name) ? known[name] : undefined
    try {
      if (read === undefined) throw new Error('it is not known')
      parts.chat.change(read(value))
      updated[name] = value
    } catch (error) {
      errors[name] = error instanceof Error ? error.message : String(error)
    }
  }
  return { updated, ...(Object.keys(errors).length > 0 && { errors }) }
}
