import type { MockReply, MockRequest } from '@tutti-internal/mock-model'

export const AGENTS = 1_000
export const TURNS = 4

/** Files of the project that agents read, one in each turn but the last. */
export const FILES: readonly string[] = ['first.txt', 'second.txt', 'third.txt']
/** About what a source file has. */
export const FILE_TEXT: string = 'a line of text as source files have them\n'.repeat(50)

export const SCHEMA: object = {
  type: 'object',
  required: ['verdict', 'reason'],
  properties: { verdict: { enum: ['good', 'bad'] }, reason: { type: 'string' } },
}

/** What one agent of any contender is told. */
export function promptOf(n: number): string {
  return `Review part ${n} of the project: read ${FILES.join(', ')} and say what you think of it.`
}

/** Each agent reads three files and hands its result over. The model needs no memory: it counts what was said. */
export function answer({ body }: MockRequest): MockReply {
  const { messages } = body as { messages: { role: string }[] }
  const said = messages.filter(({ role }) => role === 'assistant').length
  const common = { pieceLength: 24, usage: { input: 900, output: 60, cacheRead: 4_000 } }
  const file = FILES[said]
  return file === undefined
    ? { ...common, toolCalls: [{ name: 'StructuredOutput', input: { verdict: 'good', reason: REASON } }] }
    : { ...common, text: REASON, toolCalls: [{ name: 'Read', input: { file_path: file } }] }
}

const REASON = 'It does what its comment says, and the test beside it covers both of its branches. '.repeat(3)
