// A model server for the recorded session: answers by what was said last.
import { once } from 'node:events'
import { createServer } from 'node:http'

const USAGE = {
  input_tokens: 120,
  output_tokens: 30,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
}

/** `answer(heard)`: a promise or not of text, `{ tool, input }`, or undefined for an answer that never ends. */
export async function startModel(answer) {
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', chunk => (text += chunk))
    request.on('end', () => {
      void Promise.resolve(answer(lastSaid(JSON.parse(text)))).then(said => reply(response, said))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function lastSaid({ messages }) {
  const { content } = messages.at(-1)
  if (typeof content === 'string') return content
  return content.at(-1).text ?? JSON.stringify(content)
}

function reply(response, said) {
  const send = event => response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const message = { id: 'msg', type: 'message', role: 'assistant', model: 'example-model', content: [] }
  send({
    type: 'message_start',
    message: { ...message, stop_reason: null, stop_sequence: null, usage: USAGE },
  })
  const [block, delta] = typeof said === 'object' ? toolBlock(said) : textBlock(said ?? 'Let me see')
  send({ type: 'content_block_start', index: 0, content_block: block })
  send({ type: 'content_block_delta', index: 0, delta })
  if (said === undefined) return
  send({ type: 'content_block_stop', index: 0 })
  const stop_reason = typeof said === 'string' ? 'end_turn' : 'tool_use'
  send({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 30 } })
  send({ type: 'message_stop' })
  response.end()
}

function textBlock(text) {
  return [
    { type: 'text', text: '' },
    { type: 'text_delta', text },
  ]
}

let uses = 0

function toolBlock({ tool, input }) {
  return [
    { type: 'tool_use', id: `toolu_of_the_model_${++uses}`, name: tool, input: {} },
    { type: 'input_json_delta', partial_json: JSON.stringify(input) },
  ]
}
