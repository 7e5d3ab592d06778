import type { JsonValue } from '@tutti/protocol'
import { chooseDefaultBackend } from '@tutti/agents'
import { defaultLimits } from '@tutti/runtime'

/** What is in effect for a setting that nothing sets. */
export interface SettingDefault {
  key: string
  /** Absent: there is no single value; `text` says what holds instead. */
  value?: JsonValue
  text?: string
}

export interface DefaultsOptions {
  env: Record<string, string | undefined>
  /** Cores of this machine. */
  cpus: number
}

const STALL_MS = 600_000
const PREFIX_STAGGER_MS = 5000
const SIZE_GUIDELINE = 100

/** Every setting that has an effect, in the order of docs/settings.md. */
export function settingDefaults({ env, cpus }: DefaultsOptions): SettingDefault[] {
  const limits = defaultLimits(cpus)
  return [
    { key: 'env', value: {} },
    { key: 'model', text: 'that of the backend' },
    { key: 'permissions.allow', value: [] },
    { key: 'permissions.ask', value: [] },
    { key: 'permissions.deny', value: [] },
    { key: 'permissions.defaultMode', value: 'default' },
    { key: 'mcpServers', value: {} },
    { key: 'enabledMcpjsonServers', value: [] },
    { key: 'disabledMcpjsonServers', value: [] },
    { key: 'enableAllProjectMcpServers', value: false },
    { key: 'disableWorkflows', value: false },
    { key: 'enableWorkflows', value: true },
    { key: 'ultracode', value: false },
    { key: 'workflowSizeGuideline', value: SIZE_GUIDELINE },
    { key: 'tutti.backend', value: chooseDefaultBackend(env).name },
    { key: 'tutti.backends', value: {} },
    { key: 'tutti.models', value: {} },
    { key: 'tutti.concurrency', value: limits.concurrency },
    { key: 'tutti.limits.concurrency', text: 'as tutti.concurrency' },
    { key: 'tutti.limits.agents', value: limits.agents },
    { key: 'tutti.limits.entries', value: limits.entries },
    { key: 'tutti.limits.scriptCpuMs', value: limits.scriptCpuMs },
    { key: 'tutti.limits.scriptMemoryMiB', value: limits.scriptMemoryMiB },
    { key: 'tutti.limits.outputTokens', value: null },
    { key: 'tutti.limits.tokens', value: null },
    { key: 'tutti.limits.costUsd', value: null },
    { key: 'tutti.limits.wallMs', value: null },
    { key: 'tutti.stallMs', value: STALL_MS },
    { key: 'tutti.timeoutMs', text: 'none; ten minutes for shell commands' },
    { key: 'tutti.retries', text: 'by the cause of the failure' },
    { key: 'tutti.prefixStaggerMs', value: PREFIX_STAGGER_MS },
    { key: 'tutti.layout', value: 'session' },
    { key: 'tutti.cache', value: 'auto' },
    { key: 'tutti.dialect', value: 'auto' },
    { key: 'tutti.prices', value: {} },
    { key: 'tutti.sandbox', value: { mode: 'off' } },
    { key: 'tutti.trustedProjects', value: [] },
  ]
}

/** Settings that files may have and that this version does nothing with. */
export const SETTINGS_WITHOUT_EFFECT: readonly string[] = ['cleanupPeriodDays', 'tutti.notify']
