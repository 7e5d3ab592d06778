import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { readTranscript, type TranscriptContent } from '../../src/foreign/read-transcript.ts'
import { assistant, END, submit, text, user, verdict } from '../support/foreign-run.ts'

function read(...lines: (object | string)[]): TranscriptContent {
  const whole = lines.map(line => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)).join('')
  return readTranscript(Buffer.from(whole))
}

function why(...lines: (object | string)[]): string {
  const { end } = read(...lines)
  return end.kind === 'none' ? end.why : `not none: ${JSON.stringify(end)}`
}

const TOOL = { type: 'tool_use', id: 't1', name: 'Read', input: {} }

describe('the prompt', () => {
  it('is the first message to the agent, a text or blocks of text', () => {
    expect(read(user('Do it.')).prompt).toBe('Do it.')
    expect(read(user([text('Do'), { type: 'image' }, text('it.')])).prompt).toBe('Do\nit.')
    expect(read({ type: 'summary' }, { ...user('note'), isMeta: true }, user('Do it.')).prompt).toBe('Do it.')
  })

  it('is not known when there is none, or when what came before it is lost', () => {
    expect(read(assistant('x')).prompt).toBeUndefined()
    expect(read(user([{ type: 'image' }])).prompt).toBeUndefined()
    expect(read('{"type":"us\n', user('second')).prompt).toBeUndefined()
  })
})

describe('a final text', () => {
  it('is proven by the stop reason of the last message', () => {
    expect(read(user('p'), assistant([TOOL]), verdict('t1'), assistant([text('A')], END)).end).toEqual({
      kind: 'text',
      text: 'A',
      proven: true,
    })
  })

  it('may be spread over lines of one message, and its tokens count once', () => {
    const content = read(
      user('p'),
      assistant([{ type: 'thinking', thinking: '…' }], { id: 'm1' }),
      assistant([text('A')], { id: 'm1' }),
      assistant([text('B')], { id: 'm1', ...END }),
    )
    expect([content.end, content.tokens, content.model]).toEqual([
      { kind: 'text', text: 'AB', proven: true },
      9,
      'model-1',
    ])
  })

  it('is not proven without a stop reason: a tool call may have been about to follow', () => {
    expect(read(user('p'), assistant('A')).end).toMatchObject({ proven: false })
    expect(read(user('p'), assistant('A', { stop_reason: null })).end).toMatchObject({ proven: false })
    expect(read(user('p'), assistant('A', { stop_reason: 'max_tokens' })).end).toMatchObject({
      proven: false,
    })
  })

  it('counts in a last line that has no newline but is whole', () => {
    expect(read(user('p'), JSON.stringify(assistant('A', END))).end).toMatchObject({ text: 'A' })
  })

  it('is not taken from an agent that was at work, ended with an error, or whose last lines are torn', () => {
    expect(why(user('p'))).toMatch(/no answer/)
    expect(why(user('p'), assistant([text('I will'), TOOL]))).toMatch(/breaks off/)
    expect(why(user('p'), assistant('A', END), user('go on'))).toMatch(/breaks off/)
    expect(why(user('p'), assistant([{ type: 'thinking' }], END))).toMatch(/no final text/)
    expect(why(user('p'), assistant('A', END), '{"type":"assist')).toMatch(/cannot be read/)
    expect(why(user('p'), { ...assistant('API Error', END), isApiErrorMessage: true })).toMatch(/error/)
    expect(why(user('p'), assistant('x', { model: '<synthetic>', ...END }))).toMatch(/error/)
  })
})

describe('a final object', () => {
  it('is the last that was accepted', () => {
    const first = [user('p'), assistant([submit('s1', { n: 'x' })]), verdict('s1', true)]
    expect(read(...first, assistant([submit('s2', { n: 2 })]), verdict('s2')).end).toEqual({
      kind: 'object',
      value: { n: 2 },
      proven: true,
    })
    const chatty = [...first, assistant([submit('s2', { n: 2 })]), verdict('s2'), assistant('Done.', END)]
    expect(read(...chatty).end).toMatchObject({ value: { n: 2 } })
  })

  it('without a verdict is only likely, and only when it is the one candidate', () => {
    expect(read(user('p'), assistant([submit('s1', { n: 1 })])).end).toEqual({
      kind: 'object',
      value: { n: 1 },
      proven: false,
    })
    const accepted = [user('p'), assistant([submit('s1', { n: 1 })]), verdict('s1')]
    expect(why(...accepted, assistant([submit('s2', { n: 2 })]))).toMatch(/not known/)
    expect(why(user('p'), assistant([submit('s1', 1), submit('s2', 2)]))).toMatch(/not known/)
    expect(why(user('p'), assistant([submit('s1', {})]), 'torn')).toMatch(/not known/)
  })

  it('is none when all were rejected, or a lost line may have held a later one', () => {
    expect(why(user('p'), assistant([submit('s1', {})]), verdict('s1', true))).toMatch(/none of its 1 /)
    const accepted = [user('p'), assistant([submit('s1', {})]), verdict('s1')]
    expect(why(...accepted, '}{\n', assistant('Done.', END))).toMatch(/not known/)
  })
})

describe('whatever is in it', () => {
  const block = fc.oneof(
    fc.constantFrom(
      text('t'),
      TOOL,
      submit('s1', { a: 1 }),
      { type: 'tool_result', tool_use_id: 's1' },
      null,
      7,
    ),
    fc.jsonValue(),
  )
  const line = fc.oneof(
    fc.record({ type: fc.constantFrom('user', 'assistant', 'x'), message: fc.jsonValue() }),
    fc
      .tuple(fc.constantFrom('user', 'assistant'), fc.array(block), fc.constantFrom('end_turn', null))
      .map(([type, content, stop_reason]) => ({ type, message: { content, stop_reason } })),
    fc.string().map(value => `${value}\n`),
  )

  test.prop([fc.array(line as fc.Arbitrary<object | string>)])('never throws', lines => {
    expect(['text', 'object', 'none']).toContain(read(...lines).end.kind)
  })

  test.prop([fc.nat(2_000)])('cut anywhere, never gives another result than the whole', cut => {
    const whole = [
      user('p'),
      assistant([text('first'), TOOL]),
      verdict('t1'),
      assistant([submit('s1', { n: 'x' })]),
      verdict('s1', true),
      assistant([submit('s2', { n: 2 })]),
      verdict('s2'),
      assistant('Done.', END),
    ]
    const bytes = Buffer.from(whole.map(value => `${JSON.stringify(value)}\n`).join(''))
    const { end } = readTranscript(bytes.subarray(0, cut))
    if (end.kind !== 'none' && end.proven)
      expect(end).toEqual({ kind: 'object', value: { n: 2 }, proven: true })
  })
})
