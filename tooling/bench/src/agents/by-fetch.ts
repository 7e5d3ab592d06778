import type { ContestSpec } from './contest.ts'
import { inLanes } from './lanes.ts'
import { FILE_TEXT, promptOf, SCHEMA, TURNS } from './work.ts'

/** The same conversations with nothing but `fetch` and the least that reads its answer. Nothing is written down. */
export function byFetch({ url }: ContestSpec): Promise<number> {
  return inLanes(async n => {
    const messages: object[] = [{ role: 'user', content: promptOf(n) }]
    for (let turn = 0; turn < TURNS; turn++) {
      const { text, call } = await ask(url, messages)
      if (call.name === 'StructuredOutput') return (JSON.parse(call.input) as Verdict).verdict === 'good'
      const { id, name, input } = call
      const use = { type: 'tool_use', id, name, input: JSON.parse(input) as object }
      messages.push(
        { role: 'assistant', content: [{ type: 'text', text }, use] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: FILE_TEXT }] },
      )
    }
    return false
  })
}

interface Verdict {
  verdict: string
}

interface Answer {
  text: string
  call: { id: string; name: string; input: string }
}

interface Event {
  type: string
  content_block?: { type: string; id: string; name: string }
  delta?: { text?: string; partial_json?: string }
}

/** Stands in for what our agents are told of tools and place: about as many bytes. */
const SYSTEM = 'w'.repeat(6_000)
const TOOLS = [{ name: 'StructuredOutput', description: 'Takes the result', input_schema: SCHEMA }]

async function ask(url: string, messages: object[]): Promise<Answer> {
  const body = { model: 'claude-sonnet-5-5', max_tokens: 16_000, stream: true, system: SYSTEM, tools: TOOLS }
  const response = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, messages }),
  })
  const answer: Answer = { text: '', call: { id: '', name: '', input: '' } }
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('data: ')) take(JSON.parse(line.slice(6)) as Event, answer)
  }
  return answer
}

function take({ content_block, delta }: Event, answer: Answer): void {
  if (content_block?.type === 'tool_use') answer.call = { ...content_block, input: '' }
  answer.text += delta?.text ?? ''
  answer.call.input += delta?.partial_json ?? ''
}
