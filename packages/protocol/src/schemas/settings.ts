import { z } from 'zod'
import type {
  BackendSettings,
  DialectSetting,
  McpServerSettings,
  ModelPrice,
  PermissionSettings,
  SandboxSettings,
  Settings,
  TuttiSettings,
} from '../settings.ts'
import { JsonObjectSchema } from './json.ts'
import { objectOf } from './object-of.ts'
import { PartialRunLimitsSchema } from './record.ts'

const strings = z.record(z.string(), z.string())
const milliseconds = z.number().min(0)
const price = z.number().min(0)

export const PermissionSettingsSchema: z.ZodType<PermissionSettings> = objectOf<PermissionSettings>()({
  allow: z.array(z.string()).optional(),
  ask: z.array(z.string()).optional(),
  deny: z.array(z.string()).optional(),
  defaultMode: z.string().optional(),
})

export const BackendSettingsSchema: z.ZodType<BackendSettings> = objectOf<BackendSettings>()({
  kind: z.enum(['model', 'simulate', 'shell', 'scripted', 'cli', 'acp']),
  command: z.string().optional(),
  args: z.array(z.string()).optional(),
  env: strings.optional(),
  model: z.string().optional(),
  profile: z.union([z.string(), JsonObjectSchema]).optional(),
})

export const McpServerSettingsSchema: z.ZodType<McpServerSettings> = objectOf<McpServerSettings>()({
  type: z.enum(['stdio', 'http', 'sse']).optional(),
  command: z.string().optional(),
  args: z.array(z.string()).optional(),
  env: strings.optional(),
  url: z.string().optional(),
  headers: strings.optional(),
})

export const ModelPriceSchema: z.ZodType<ModelPrice> = objectOf<ModelPrice>()({
  input: price,
  output: price,
  cacheRead: price.optional(),
  cacheWrite: price.optional(),
})

export const SandboxSettingsSchema: z.ZodType<SandboxSettings> = objectOf<SandboxSettings>()({
  mode: z.enum(['off', 'auto', 'required']).optional(),
  network: z.boolean().optional(),
})

export const DialectSettingSchema: z.ZodType<DialectSetting> = z.enum(['auto', 'codebuddy', 'claude-code'])

export const TuttiSettingsSchema: z.ZodType<TuttiSettings> = objectOf<TuttiSettings>()({
  backend: z.string().min(1).optional(),
  backends: z.record(z.string(), BackendSettingsSchema).optional(),
  models: strings.optional(),
  concurrency: z.int().min(1).optional(),
  limits: PartialRunLimitsSchema.optional(),
  stallMs: milliseconds.optional(),
  timeoutMs: milliseconds.optional(),
  retries: z.int().min(0).optional(),
  prefixStaggerMs: milliseconds.optional(),
  layout: z.enum(['session', 'claude-code']).optional(),
  cache: z.enum(['auto', 'content', 'never']).optional(),
  dialect: DialectSettingSchema.optional(),
  prices: z.record(z.string(), ModelPriceSchema).optional(),
  notify: JsonObjectSchema.optional(),
  sandbox: SandboxSettingsSchema.optional(),
  trustedProjects: z.array(z.string()).optional(),
})

/** Keys of other programs are kept; values of the wrong kind are refused. */
export const SettingsSchema: z.ZodType<Settings> = objectOf<Settings>()({
  env: strings.optional(),
  model: z.string().optional(),
  permissions: PermissionSettingsSchema.optional(),
  mcpServers: z.record(z.string(), McpServerSettingsSchema).optional(),
  enabledMcpjsonServers: z.array(z.string()).optional(),
  disabledMcpjsonServers: z.array(z.string()).optional(),
  enableAllProjectMcpServers: z.boolean().optional(),
  disableWorkflows: z.boolean().optional(),
  enableWorkflows: z.boolean().optional(),
  workflowSizeGuideline: z.union([z.string(), z.number()]).optional(),
  ultracode: z.boolean().optional(),
  cleanupPeriodDays: z.number().min(0).optional(),
  tutti: TuttiSettingsSchema.optional(),
})
