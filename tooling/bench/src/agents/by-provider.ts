import type { ContestSpec } from './contest.ts'
import { inLanes } from './lanes.ts'
import { FILE_TEXT, promptOf, SCHEMA, TURNS } from './work.ts'

/** The same conversations with the package our backend speaks through, and no loop, tools or journal of ours. */
export async function byProvider({ url }: ContestSpec): Promise<number> {
  const { createAnthropic } = await import('@ai-sdk/anthropic')
  const model = createAnthropic({ baseURL: `${url}/v1`, apiKey: 'key-of-the-benchmark' })('claude-sonnet-5-5')
  type Options = Parameters<typeof model.doStream>[0]

  async function agent(n: number): Promise<boolean> {
    const prompt: Options['prompt'] = [
      { role: 'system', content: SYSTEM },
      { role: 'user', content: [{ type: 'text', text: promptOf(n) }] },
    ]
    for (let turn = 0; turn < TURNS; turn++) {
      const { text, call } = await ask(prompt)
      if (!call) return false
      const { toolCallId, toolName } = call
      const input: unknown = JSON.parse(call.input)
      if (toolName === 'StructuredOutput') return (input as { verdict: string }).verdict === 'good'
      const output = { type: 'text' as const, value: FILE_TEXT }
      prompt.push(
        {
          role: 'assistant',
          content: [
            { type: 'text', text },
            { type: 'tool-call', toolCallId, toolName, input },
          ],
        },
        { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] },
      )
    }
    return false
  }

  async function ask(prompt: Options['prompt']): Promise<Answer> {
    const { stream } = await model.doStream({ prompt, tools: TOOLS, maxOutputTokens: 16_000 })
    const answer: Answer = { text: '' }
    for await (const part of stream) {
      if (part.type === 'text-delta') answer.text += part.delta
      if (part.type === 'tool-call') answer.call = part
      if (part.type === 'error') throw part.error
    }
    return answer
  }

  return inLanes(agent)
}

interface Answer {
  text: string
  call?: { toolCallId: string; toolName: string; input: string }
}

const SYSTEM = 'w'.repeat(6_000)
const TOOLS = [
  {
    type: 'function' as const,
    name: 'StructuredOutput',
    description: 'Takes the result',
    inputSchema: SCHEMA,
  },
]
