import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonValue, PermissionSettings } from '@tutti/protocol'
import type { AgentCall } from '@tutti/runtime'
import type { McpCommand } from '../hand-in/serve-tool.ts'
import { isReadOnly, systemText, toolsOf } from '../hand-in/prompt.ts'
import { OBJECT_NOTE } from '../hand-in/structured-output.ts'
import { fillArguments, fillEnvironment, fillJson, placeholdersIn, type Values } from './fill.ts'
import type { CliProfile } from './profile.ts'
import { isStrictSchema } from './strict-schema.ts'

/** How the object gets out: the product's own schema, our tool, or JSON in the final text. */
export type ObjectWay = 'native' | 'mcp' | 'text'

export interface Preparation {
  call: AgentCall
  profile: CliProfile
  /** Added to the arguments of the profile. */
  args: readonly string[]
  model: string | undefined
  permissions: PermissionSettings
  cwd: string
  /** Of this call alone. */
  folder: string
  way: ObjectWay | undefined
  tool: McpCommand | undefined
}

/** What a try begins with: the prompt of the call, or a message in a conversation that goes on. */
export interface Opening {
  prompt: string
  session: string | undefined
}

export interface Prepared {
  args: string[]
  env: Record<string, string>
  input: string
}

/** The way in which the call's object gets out; undefined without a schema. */
export function objectWay({ schema }: AgentCall, profile: CliProfile): ObjectWay | undefined {
  if (schema === undefined) return undefined
  if (profile.schema !== 'strict') return profile.schema
  return isStrictSchema(schema) ? 'native' : 'mcp'
}

/** Arguments, variables and input of one try; its files are written to the folder of the call. */
export async function prepare(preparation: Preparation, opening: Opening): Promise<Prepared> {
  const { profile, args, call } = preparation
  const template = [...profile.args, ...args]
  const mentions = (name: string): boolean =>
    [...template.flat(), ...Object.values(profile.env ?? {})].flatMap(placeholdersIn).includes(name)
  const prompt =
    opening.session === undefined ? fullPrompt(preparation, opening.prompt, mentions) : opening.prompt
  const values = await withFiles(profile, preparation.folder, {
    ...valuesOf(preparation),
    prompt: prompt.startsWith('-') ? ` ${prompt}` : prompt,
    session: opening.session,
    system: opening.session === undefined ? systemText(call) : undefined,
  })
  return {
    args: fillArguments(template, values),
    env: fillEnvironment(profile.env ?? {}, values),
    input: profile.prompt === 'stdin' ? prompt : '',
  }
}

function valuesOf({ call, model, permissions, cwd, way, tool }: Preparation): Values {
  const { allow = [], deny = [] } = permissions
  const servers = tool && { mcpServers: { tutti: { type: 'stdio', ...tool } } }
  return {
    model,
    effort: call.effort,
    cwd,
    maxTurns: call.maxTurns === undefined ? undefined : String(call.maxTurns),
    schema: way === 'native' ? JSON.stringify(call.schema) : undefined,
    schemaFile: way === 'native' ? call.schema : undefined,
    mcpFile: servers,
    mcpCommand: tool?.command,
    mcpArgs: tool?.args,
    mcpWords: tool && [tool.command, ...tool.args],
    tools: toolsOf(call)?.join(','),
    sandbox: isReadOnly(call) ? 'read-only' : 'workspace-write',
    allow: allow.length === 0 ? undefined : allow.join(','),
    deny: deny.length === 0 ? undefined : deny.join(','),
  }
}

const FILE_VALUES = ['schemaFile', 'mcpFile']

/** Values that are files become their paths. */
async function withFiles(profile: CliProfile, folder: string, values: Values): Promise<Values> {
  const paths: Record<string, JsonValue | undefined> = {}
  const contents = Object.entries(profile.files ?? {}).map(
    ([name, json]) => [name, fillJson(json, values)] as const,
  )
  for (const [name, content] of [...FILE_VALUES.map(name => [name, values[name]] as const), ...contents]) {
    const path = join(folder, `${name}.json`)
    if (content !== undefined) await writeFile(path, JSON.stringify(content), { mode: 0o600 })
    paths[name] = content === undefined ? undefined : path
  }
  return { ...values, ...paths }
}

/** What the product has no option for is said in the prompt. */
function fullPrompt(
  { call, profile, way }: Preparation,
  prompt: string,
  mentions: (name: string) => boolean,
): string {
  // A command without a profile of its own need not be an agent.
  if (profile.output === 'text' && way === undefined) return prompt
  const tools = mentions('tools') ? undefined : toolsOf(call)
  const parts = [
    mentions('system') ? undefined : systemText(call),
    tools && `Use no other tools than these or what corresponds to them: ${tools.join(', ')}.`,
    prompt,
    way === 'mcp' ? OBJECT_NOTE : undefined,
    way === 'text'
      ? `Answer with one JSON object and nothing else. It must match this JSON Schema: ${JSON.stringify(call.schema)}`
      : undefined,
  ]
  return parts.filter(part => part !== undefined && part !== '').join('\n\n')
}
