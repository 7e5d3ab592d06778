import { basename } from 'node:path'
import { sha256 } from '@tutti/runtime'
import type { AgentTypeDefinition } from '@tutti/runtime'
import type { parseDocument } from 'yaml'

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)??---[ \t]*(?:\r?\n([\s\S]*))?$/
const NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/

/** Name of a definition whose front matter does not say one. */
export function fileNameOf(path: string): string {
  return basename(path).replace(/\.md$/, '')
}

/** Reads a definition: YAML front matter, then the system prompt. Throws Error saying what is wrong. */
export function parseAgentType(
  text: string,
  path: string,
  parseYaml: typeof parseDocument,
): AgentTypeDefinition {
  const match = FRONT_MATTER.exec(text)
  if (!match) throw new Error('it does not begin with front matter between two lines of ---')
  const fields = frontMatter(match[1] ?? '', parseYaml)
  if (typeof fields !== 'object' || Array.isArray(fields))
    throw new Error('its front matter is not a list of fields')
  const { name, description, tools, model } = fields as Record<string, unknown>
  const prompt = (match[2] ?? '').trim()
  const modelName = textField(model, 'model')
  const definition: AgentTypeDefinition = {
    name: textField(name, 'name') ?? fileNameOf(path),
    hash: sha256(text),
    source: path,
  }
  if (!NAME_PATTERN.test(definition.name)) {
    throw new Error(
      `name: ${JSON.stringify(definition.name.slice(0, 80))} may only have letters, digits and . _ : -`,
    )
  }
  const toolNames = toolList(tools)
  const about = textField(description, 'description')
  if (about !== undefined) definition.description = about
  if (toolNames) definition.tools = toolNames
  // Peers write `inherit` for the model of whoever calls.
  if (modelName !== undefined && modelName !== 'inherit') definition.model = modelName
  if (prompt !== '') definition.prompt = prompt
  return definition
}

/** Throws for what the parser would only warn about, too: nobody would see the warning. */
function frontMatter(text: string, parseYaml: typeof parseDocument): unknown {
  // Not `silent`: that would keep quiet about a second document.
  const document = parseYaml(text, { logLevel: 'error' })
  const problem = document.errors[0] ?? document.warnings[0]
  if (problem) throw new Error(problem.message)
  return (document.toJS() as unknown) ?? {}
}

function textField(value: unknown, name: string): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string' && value.trim() !== '') return value.trim()
  if (typeof value === 'number') return String(value)
  throw new Error(`${name}: must be text`)
}

/** `Read, Grep` or a list; `*` is the same as none: all tools. */
function toolList(value: unknown): string[] | undefined {
  if (value === undefined || value === null) return undefined
  const names: unknown[] | undefined = typeof value === 'string' ? splitTools(value) : asList(value)
  if (!names || names.some(name => typeof name !== 'string' || name.trim() === '')) {
    throw new Error('tools: must be names separated by commas, or a list of names')
  }
  const trimmed = (names as string[]).map(name => name.trim())
  return trimmed.includes('*') ? undefined : trimmed
}

/** At commas outside of parentheses: `Bash(git log, git diff), Read` is two. */
function splitTools(text: string): string[] {
  return text.split(/,(?![^(]*\))/).filter(name => name.trim() !== '')
}

function asList(value: unknown): unknown[] | undefined {
  return Array.isArray(value) ? value : undefined
}
