import type { JsonObject, JsonValue } from '@tutti/protocol'
import { asText } from '../json-fields.ts'

const EDITING = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit'])

/**
 * What a host may answer along with its consent so as not to be asked again: no more than what was asked about, where
 * a rule can say that; empty where none can.
 */
export function suggestionsFor(tool: string, input: JsonObject): JsonValue[] {
  if (EDITING.has(tool)) return [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }]
  if (tool === 'Bash') return exact(tool, asText(input['command'])?.trim())
  if (tool === 'WebFetch') return exact(tool, domainOf(asText(input['url'])))
  return [addedRule(tool, undefined, 'session')]
}

export function addedRule(
  toolName: string,
  ruleContent: string | undefined,
  destination: string,
): JsonObject {
  return {
    type: 'addRules',
    rules: [{ toolName, ...(ruleContent !== undefined && { ruleContent }) }],
    behavior: 'allow',
    destination,
  }
}

/** A star in a rule stands for any text, so what has one cannot be allowed by itself. */
function exact(tool: string, content: string | undefined): JsonValue[] {
  const possible = content !== undefined && content !== '' && !content.includes('*')
  return possible ? [addedRule(tool, content, 'session')] : []
}

function domainOf(url: string | undefined): string | undefined {
  const host = url !== undefined && URL.canParse(url) ? new URL(url).hostname : ''
  return host === '' ? undefined : `domain:${host}`
}
