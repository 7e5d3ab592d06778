import {
  isJsonValue,
  type ContentBlock,
  type DecodedLine,
  type JsonObject,
  type JsonValue,
  type UserFrame,
} from '@tutti/protocol'
import { asObject, asText } from '../json-fields.ts'

/** A line of the host, as far as its envelope goes. */
export type Inbound =
  | { kind: 'request'; requestId: string; request: JsonObject & { subtype: string } }
  | { kind: 'response'; requestId: string; response: JsonObject }
  | { kind: 'cancel'; requestId: string }
  | { kind: 'user'; frame: UserFrame }
  | { kind: 'keep-alive' }
  | Refused

/** With `requestId` the host waits for an answer. */
export interface Refused {
  kind: 'refused'
  message: string
  requestId?: string
}

/** Says what a decoded line is. Messages quote nothing but short type names. */
export function readInbound(line: DecodedLine): Inbound {
  if (!line.ok) return { kind: 'refused', message: line.message }
  const frame = asObject(line.value)
  if (frame === undefined) {
    return { kind: 'refused', message: `line ${line.line} is not a JSON object; frames are objects` }
  }
  const inbound = isJsonValue(frame) ? readFrame(frame) : 'it is nested too deeply'
  if (typeof inbound !== 'string') return inbound
  const requestId = requestIdOf(frame)
  const message = `line ${line.line}: ${inbound}`
  return { kind: 'refused', message, ...(requestId !== undefined && { requestId }) }
}

/** A text is what is wrong with it. */
function readFrame(frame: JsonObject): Inbound | string {
  switch (frame['type']) {
    case 'control_request':
      return readRequest(frame)
    case 'control_response':
      return readResponse(frame)
    case 'control_cancel_request': {
      const requestId = asText(frame['request_id'])
      return requestId === undefined
        ? 'control_cancel_request needs a request_id'
        : { kind: 'cancel', requestId }
    }
    case 'user':
      return readUser(frame)
    case 'keep_alive':
      return { kind: 'keep-alive' }
    default:
      return `type ${nameOf(frame['type'])} is unknown`
  }
}

function readRequest(frame: JsonObject): Inbound | string {
  const requestId = requestIdOf(frame)
  if (requestId === undefined) return 'control_request needs a request_id'
  const request = asObject(frame['request'])
  if (request === undefined) return 'control_request needs an object "request"'
  const subtype = asText(request['subtype'])
  if (subtype === undefined) return 'control_request needs a text "subtype"'
  return { kind: 'request', requestId, request: { ...request, subtype } }
}

function readResponse(frame: JsonObject): Inbound | string {
  const response = asObject(frame['response'])
  const requestId = asText(response?.['request_id'])
  if (response === undefined || requestId === undefined)
    return 'control_response needs a response with request_id'
  return { kind: 'response', requestId, response }
}

function readUser(frame: JsonObject): Inbound | string {
  const message = asObject(frame['message'])
  if (message === undefined) return 'a user line needs an object "message"'
  if (message['role'] !== undefined && message['role'] !== 'user')
    return 'the message of a user line has role "user"'
  const content = readContent(message['content'])
  if (typeof content === 'object' && 'problem' in content) return content.problem
  return {
    kind: 'user',
    frame: { ...frame, type: 'user', message: { ...message, role: 'user', content } },
  }
}

function readContent(content: JsonValue | undefined): string | ContentBlock[] | { problem: string } {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return { problem: 'the content of a user line is a text or a list of blocks' }
  for (const [at, block] of content.entries()) {
    const { type, text } = asObject(block) ?? {}
    const place = `block ${at + 1} of a user line`
    if (asText(type) === undefined) return { problem: `${place} is no object with a type` }
    if (type === 'text' && asText(text) === undefined)
      return { problem: `${place} has the type "text" but no text` }
  }
  return content as ContentBlock[]
}

/** Some programs number their requests; an answer is matched by the same text. */
function requestIdOf(frame: JsonObject): string | undefined {
  const id = frame['request_id']
  return typeof id === 'number' ? String(id) : asText(id)
}

function nameOf(type: JsonValue | undefined): string {
  if (type === undefined) return '(missing)'
  return JSON.stringify(typeof type === 'string' ? type.slice(0, 60) : type).slice(0, 80)
}
