import { exampleOf, type Choose } from './example.ts'
import type { MockReply } from './reply.ts'
import type { MockRequest } from './server.ts'
import { viewOf, type RequestView } from './view.ts'

type Replies = (request: MockRequest) => MockReply

/**
 * Answers at random: tool calls that fit and that do not, text, errors, broken streams. The same conversation is
 * answered alike with the same seed, whatever else is asked meanwhile.
 */
export function monkey(seed: number): Replies {
  const asked = new Map<string, number>()
  return request => {
    const view = viewOf(request)
    const place = `${seed} ${view.prompt} ${view.answers}`
    const again = asked.get(place) ?? 0
    asked.set(place, again + 1)
    return answer(view, numbers(`${place} ${again}`))
  }
}

function answer(view: RequestView, choose: Choose): MockReply {
  const pieceLength = 1 + Math.floor(choose() * 40)
  // A conversation comes to an end.
  const eagerness = view.answers > 6 ? 0.25 : 1
  const whim = TABLE.find(([share]) => choose() < share * eagerness)?.[1] ?? talk
  return { pieceLength, ...whim(view, choose) }
}

type Whim = (view: RequestView, choose: Choose) => MockReply

/** One after the other, each with its share of what is left. */
const TABLE: [share: number, whim: Whim][] = [
  [0.03, () => ({ error: { status: 429, message: 'Too many requests' } })],
  [0.03, () => ({ error: { status: 500, message: 'broken' } })],
  [0.02, () => ({ error: { status: 529, message: 'Overloaded' } })],
  [0.02, () => ({ error: { status: 200, body: '<html>\u0000', headers: SSE } })],
  [0.03, (_, choose) => ({ text: 'cut off in the middle of it', disconnectAfter: Math.floor(choose() * 4) })],
  [0.03, (_, choose) => ({ text: 'ends too early, and properly', endAfter: Math.floor(choose() * 4) })],
  [0.02, () => ({ text: 'half', error: { status: 500, message: 'in the stream' }, errorAfter: 2 })],
  [
    0.05,
    (_, choose) => ({ toolCalls: [{ name: NAMES[Math.floor(choose() * NAMES.length)] ?? '', input: {} }] }),
  ],
  [0.06, misuse],
  [0.75, use],
]

const SSE = { 'content-type': 'text/event-stream' }
const NAMES = ['NoSuchTool', '__proto__', 'read', 'Bash;rm', 'constructor']
const TEXTS = ['', '{}', '[]', 'null', '{"n":1e2798}', '{"a":', '"text"', '{"__proto__":{"a":1}}', '\u0000']

function talk(_: RequestView, choose: Choose): MockReply {
  const thinking = choose() < 0.3 ? { thinking: 'hmm' } : {}
  return { ...thinking, text: choose() < 0.1 ? '' : 'That is what I found.', usage: { input: 50, output: 9 } }
}

/** One tool, or several at once, with input that fits. */
function use(view: RequestView, choose: Choose): MockReply {
  const { tools } = view
  if (tools.length === 0) return talk(view, choose)
  const count = choose() < 0.8 ? 1 : 3
  const toolCalls = Array.from({ length: count }, () => {
    const own = tools.find(({ name }) => name === 'StructuredOutput')
    const tool = (choose() < 0.25 ? own : undefined) ?? tools[Math.floor(choose() * tools.length)]
    return { name: tool?.name ?? '', input: exampleOf(tool?.schema ?? {}, choose) }
  })
  return { text: choose() < 0.5 ? 'Let me see.' : '', toolCalls, usage: { input: 80, output: 20 } }
}

/** A tool that is there, with input that is none. */
function misuse({ tools }: RequestView, choose: Choose): MockReply {
  const name = tools[Math.floor(choose() * tools.length)]?.name ?? 'Read'
  return { toolCalls: [{ name, input: TEXTS[Math.floor(choose() * TEXTS.length)] }] }
}

/** A small generator of pseudo-random numbers; the seed is a text. */
function numbers(seed: string): Choose {
  let state = 0x811c9dc5
  for (const char of seed) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
