import type { ToolCallUpdate, ToolKind } from '@agentclientprotocol/sdk'
import type { JsonObject, JsonValue } from '@tutti/protocol'
import type { PermissionQuestion } from '@tutti/runtime'
import { STRUCTURED_OUTPUT } from '../hand-in/structured-output.ts'

type Asked = Pick<ToolCallUpdate, 'kind' | 'title' | 'name' | 'rawInput' | 'locations'>

/** Kinds of tools, as the names that permission rules use. */
const TOOLS: Record<ToolKind, string> = {
  read: 'Read',
  search: 'Grep',
  edit: 'Edit',
  delete: 'Edit',
  move: 'Edit',
  execute: 'Bash',
  fetch: 'WebFetch',
  think: 'TodoWrite',
  switch_mode: 'ExitPlanMode',
  other: 'Other',
}

/** The tool an agent wants to use, in the words of permission rules. */
export function toolQuestion(asked: Asked): PermissionQuestion {
  if (isOwnTool(asked)) return { tool: STRUCTURED_OUTPUT, input: {} }
  const input = asObject(asked.rawInput)
  const tool = TOOLS[asked.kind ?? 'other']
  if (tool === 'Bash') return { tool, input: { ...input, command: commandOf(asked, input) } }
  const path = asked.locations?.[0]?.path
  if (path !== undefined && input['file_path'] === undefined) input['file_path'] = path
  return { tool: tool === 'Other' ? (asked.name ?? asked.title ?? tool) : tool, input }
}

/** Products prefix the tool's name with that of the server, each in its own way. */
export function isOwnTool({ name, title }: Pick<Asked, 'name' | 'title'>): boolean {
  return [name, title].some(
    text => text != null && new RegExp(`(^|[^A-Za-z])${STRUCTURED_OUTPUT}\\b`).test(text),
  )
}

function commandOf({ title }: Asked, input: JsonObject): string {
  const { command } = input
  if (typeof command === 'string') return command
  const words = Array.isArray(command) ? command.filter(word => typeof word === 'string') : []
  if (words.length > 0) return commandOfWords(words)
  return title ?? ''
}

/** What a shell is given to run, or the words quoted, so that rules see the same as is run. */
function commandOfWords(words: string[]): string {
  const [shell = '', flag = '', script] = words
  const isShell = /^(.*\/)?(ba|da|z|k|a)?sh$/.test(shell) && /^-[a-z]*c$/.test(flag)
  if (isShell && words.length === 3 && script !== undefined) return script
  return words
    .map(word => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ')
}

function asObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (JSON.parse(JSON.stringify(value)) as Record<string, JsonValue>)
    : {}
}
