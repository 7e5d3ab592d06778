import type { MockRequest } from './server.ts'

type Json = Record<string, unknown>

/** A tool that a request offers. */
export interface OfferedTool {
  name: string
  schema: Json
}

/** What matters of a request, whatever its wire. */
export interface RequestView {
  model: string
  /** The first thing the user said: it names the conversation. */
  prompt: string
  /** What was said or returned last, as JSON. */
  last: string
  /** Answers of the model so far. */
  answers: number
  tools: OfferedTool[]
}

export function viewOf({ wire, body, path }: MockRequest): RequestView {
  const said = list(
    wire === 'google' ? body['contents'] : wire === 'responses' ? body['input'] : body['messages'],
  )
  const model = /models\/([^:]+):/.exec(path)?.[1] ?? String(body['model'])
  return {
    model,
    prompt: textOf(said.find(item => item['role'] === 'user')),
    last: JSON.stringify(said.at(-1) ?? null),
    answers: answersIn(said),
    tools: toolsOf(body),
  }
}

/** Items of the model that follow each other are one answer. */
function answersIn(said: Json[]): number {
  const own = said.map(
    ({ role, type }) => role === 'assistant' || role === 'model' || OF_MODEL.has(String(type)),
  )
  return own.filter((isOwn, i) => isOwn && own[i - 1] !== true).length
}

const OF_MODEL = new Set(['function_call', 'reasoning'])

function toolsOf(body: Json): OfferedTool[] {
  return list(body['tools']).flatMap(tool => {
    const declared = list(tool['functionDeclarations'])
    const described = declared.length > 0 ? declared : [isJson(tool['function']) ? tool['function'] : tool]
    return described.flatMap(({ name, input_schema, parameters, parametersJsonSchema }) => {
      const schema = input_schema ?? parametersJsonSchema ?? parameters
      return typeof name === 'string' ? [{ name, schema: isJson(schema) ? schema : {} }] : []
    })
  })
}

function textOf(item: Json | undefined): string {
  const content = item?.['content'] ?? item?.['parts']
  if (typeof content === 'string') return content
  return list(content)
    .map(part => part['text'])
    .filter(text => typeof text === 'string')
    .join('\n')
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isJson) : []
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
