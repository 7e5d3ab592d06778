import type { MockReply } from '@tutti-internal/mock-model'
import type { ContentBlock, JsonObject, JsonValue } from '@tutti/protocol'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chatWith, eventsOf } from './chat-at.ts'

interface StreamEvent extends JsonObject {
  type: string
}

interface Read {
  id: unknown
  content: ContentBlock[]
  stopReason: unknown
  usage: unknown
}

/** Puts a message together as a client of the Messages API does; throws when the order is wrong. */
function readMessage(events: StreamEvent[]): Read {
  const blocks: ContentBlock[] = []
  const inputs = new Map<number, string>()
  const open = new Set<number>()
  const [first, ...rest] = events
  if (first?.type !== 'message_start') throw new Error(`begins with ${first?.type}`)
  const read: Read = { id: (first.message as JsonObject).id, content: blocks, stopReason: null, usage: null }
  for (const [at, event] of rest.entries()) {
    const index = event.index as number
    switch (event.type) {
      case 'content_block_start':
        if (index !== blocks.length) throw new Error(`block ${index} after ${blocks.length}`)
        blocks.push({ ...(event.content_block as ContentBlock) })
        open.add(index)
        break
      case 'content_block_delta': {
        const block = blocks[index]
        if (!block || !open.has(index)) throw new Error(`a piece of block ${index}, which is not open`)
        addDelta(block, event.delta as JsonObject, { inputs, index })
        break
      }
      case 'content_block_stop': {
        if (!open.delete(index)) throw new Error(`end of block ${index}, which is not open`)
        const block = blocks[index]
        if (block?.type === 'tool_use') block.input = JSON.parse(inputs.get(index) || '{}') as JsonObject
        break
      }
      case 'message_delta':
        if (open.size > 0) throw new Error('a block was left open')
        read.stopReason = (event.delta as JsonObject).stop_reason
        read.usage = event.usage
        break
      case 'message_stop':
        if (at !== rest.length - 1) throw new Error('something after the end')
        return read
      default:
        throw new Error(`unknown ${event.type}`)
    }
  }
  throw new Error('no end')
}

function addDelta(
  block: ContentBlock,
  delta: JsonObject,
  { inputs, index }: { inputs: Map<number, string>; index: number },
): void {
  switch (delta.type) {
    case 'text_delta':
      block.text = `${textIn(block.text)}${textIn(delta.text)}`
      break
    case 'thinking_delta':
      block.thinking = `${textIn(block.thinking)}${textIn(delta.thinking)}`
      break
    case 'signature_delta':
      block.signature = delta.signature ?? ''
      break
    case 'input_json_delta':
      inputs.set(index, `${inputs.get(index) ?? ''}${textIn(delta.partial_json)}`)
      break
    default:
      throw new Error(`unknown piece ${textIn(delta.type)}`)
  }
}

function textIn(value: JsonValue | undefined): string {
  if (typeof value !== 'string') throw new Error(`${JSON.stringify(value)} is no text`)
  return value
}

const replies: fc.Arbitrary<MockReply> = fc.record(
  {
    text: fc.string({ unit: 'grapheme', maxLength: 60 }),
    thinking: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
    toolCalls: fc.array(
      fc.record({
        name: fc.constantFrom('Glob', 'Nothing'),
        input: fc.dictionary(
          fc.string({ maxLength: 8 }).filter(name => name !== '__proto__'),
          fc.jsonValue({ maxDepth: 2 }),
          {
            maxKeys: 3,
          },
        ),
      }),
      { maxLength: 3 },
    ),
    usage: fc.record({ input: fc.nat(1000), output: fc.nat(1000) }),
    pieceLength: fc.integer({ min: 1, max: 20 }),
  },
  { requiredKeys: ['usage', 'pieceLength'] },
)

describe.each(['anthropic', 'openai', 'responses', 'google'] as const)('over the %s wire', wire => {
  test('the pieces of an answer put together are the answer', async () => {
    await fc.assert(
      fc.asyncProperty(replies, async reply => {
        await using scene = await chatWith({ wire, config: { maxTurns: 1 }, replies: [reply] })
        const { events } = await scene.say('Hi')
        const read = readMessage(eventsOf(events, 'stream').map(({ event }) => event as StreamEvent))
        const [answer] = eventsOf(events, 'assistant')
        expect(read).toEqual({
          id: answer?.message.id,
          content: answer?.message.content,
          stopReason: answer?.message.stop_reason,
          usage: answer?.message.usage,
        })
        const last = events.findLastIndex(({ type }) => type === 'stream')
        expect(events.findIndex(({ type }) => type === 'assistant')).toBeGreaterThan(last)
      }),
      { numRuns: 25, seed: 4 },
    )
  }, 60_000)
})

test('a thought comes with its signature', async () => {
  await using scene = await chatWith({ replies: [{ thinking: 'Let me think.', text: 'So.' }] })
  const { events } = await scene.say('Hi')
  expect(eventsOf(events, 'assistant')[0]?.message.content).toEqual([
    { type: 'thinking', thinking: 'Let me think.', signature: 'signature-1' },
    { type: 'text', text: 'So.' },
  ])
})

test('text arrives in pieces before the answer is complete', async () => {
  await using scene = await chatWith({ replies: [{ text: 'one two three', pieceLength: 4 }] })
  const { events } = await scene.say('Hi')
  const pieces = eventsOf(events, 'stream').filter(({ event }) => event.type === 'content_block_delta')
  expect(pieces.length).toBeGreaterThan(2)
})

test('an answer that is asked for again begins anew', async () => {
  await using scene = await chatWith({
    replies: [{ text: 'one two three four five', disconnectAfter: 4 }, { text: 'All of it.' }],
  })
  const { events } = await scene.say('Hi')
  const told = eventsOf(events, 'stream').map(({ event }) => event as StreamEvent)
  const again = told.findLastIndex(({ type }) => type === 'message_start')
  expect(again).toBeGreaterThan(0)
  expect(readMessage(told.slice(again)).content).toEqual([{ type: 'text', text: 'All of it.' }])
})

test('nobody is told of pieces who does not want them', async () => {
  await using scene = await chatWith({ replies: [{ text: 'one two three' }] })
  const { events } = await scene.say('Hi', { streamEvents: false })
  expect(events.map(({ type }) => type)).toEqual(['assistant'])
})
