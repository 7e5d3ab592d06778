// The examples of docs/protocol.md, by the names that stand in it: `<!-- example: NAME -->` … `<!-- end -->`.
import { createNormaliser } from './normalise.mjs'
import { print } from './print.mjs'
import { recordSessions } from './record.mjs'

const BLOCK = /<!-- example: (.*?) -->\n[\s\S]*?<!-- end -->/g

/** The text with its examples as they are now. `known`: the messages that must be among them. */
export async function refreshExamples(text, known) {
  const { folders, sessions } = await recordSessions()
  const normalise = createNormaliser(folders, sessions)
  const used = new Set()
  const problems = []
  const after = text.replace(BLOCK, (block, name) => {
    used.add(name)
    const lines = linesOf(name, sessions)
    if (lines.length === 0) {
      problems.push(`there is no example of ${name}`)
      return block
    }
    const shown = lines.map(line => print(normalise(line))).join('\n')
    return `<!-- example: ${name} -->\n\`\`\`json\n${shown}\n\`\`\`\n<!-- end -->`
  })
  for (const name of known) if (!used.has(name)) problems.push(`${name} has no example`)
  return { after, problems }
}

/** `system/init`, `request set_model`, … with `in SESSION` behind it for another session than the main one. */
function linesOf(name, sessions) {
  const [, what, session = 'main'] = /^(.*?)(?: in (\w+))?$/.exec(name)
  const lines = sessions[session]
  const own = lines.filter(({ from }) => from === 'session').map(({ frame }) => frame)
  if (what.startsWith('request ')) return exchange(lines, what.slice('request '.length))
  if (what in SPECIAL) return [SPECIAL[what](own, lines)].filter(frame => frame !== undefined)
  const [type, subtype] = what.split('/')
  const found = own.findLast(
    frame => frame.type === type && (subtype === undefined || frame.subtype === subtype),
  )
  return found === undefined ? [] : [found]
}

/** A request and its answer, whoever asked. */
function exchange(lines, subtype) {
  const asked = lines.find(
    ({ frame }) => frame.type === 'control_request' && frame.request.subtype === subtype,
  )
  if (asked === undefined) return []
  const { request_id } = asked.frame
  const answer = lines.find(
    ({ from, frame }) =>
      from !== asked.from && frame.type === 'control_response' && frame.response.request_id === request_id,
  )
  return [asked.frame, ...(answer ? [answer.frame] : [])]
}

const isWorkflowResult = frame => frame.type === 'user' && frame.tool_use_result?.status === 'async_launched'

/** Frames for which type and subtype do not say enough. */
const SPECIAL = {
  prompt: (_, lines) => lines.find(({ from, frame }) => from === 'host' && frame.type === 'user')?.frame,
  keep_alive: (_, lines) => lines.find(({ frame }) => frame.type === 'keep_alive')?.frame,
  'first init': own => own.find(({ subtype }) => subtype === 'init'),
  'tool use': own => own.find(frame => frame.type === 'assistant' && blockOf(frame, 'tool_use')),
  'tool result': own => own.find(frame => frame.type === 'user' && !isWorkflowResult(frame)),
  launch: own => own.find(isWorkflowResult),
  'first result': own => own.find(({ type }) => type === 'result'),
  'notification turn': own => own.find(({ type, origin }) => type === 'user' && origin !== undefined),
  'result of an error': own => own.find(frame => frame.type === 'result' && frame.is_error),
  'text piece': own => own.find(({ event }) => event?.delta?.type === 'text_delta'),
  'running tasks': own => own.find(frame => frame.subtype === 'background_tasks_changed'),
  'last snapshot': own => own.findLast(({ workflow_progress }) => workflow_progress !== undefined),
}

function blockOf({ message }, type) {
  return message.content.some(block => block.type === type)
}
