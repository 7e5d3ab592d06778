import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { conversationOf, readLines, type TranscriptLine } from '../../src/transcript/transcript-line.ts'

function line(
  uuid: string,
  parentUuid: string | null,
  changes: Partial<TranscriptLine> = {},
): TranscriptLine {
  return { type: 'user', uuid, parentUuid, message: { role: 'user', content: uuid }, ...changes }
}

const ids = (lines: readonly TranscriptLine[] | undefined): string[] | undefined =>
  lines?.map(({ uuid }) => uuid)

describe('reading lines', () => {
  it('keeps what has a type and a uuid, and counts what is no JSON', () => {
    const text = `${JSON.stringify(line('a', null))}\n\n{"type":"summary"}\nnull\n42\n{"type":"user","uu`
    expect(readLines(text)).toMatchObject({ lines: [{ uuid: 'a', parentUuid: null }], damaged: 3 })
  })

  it('takes a parent that is no text as none', () => {
    const { lines } = readLines('{"type":"user","uuid":"a","parentUuid":7,"message":{}}')
    expect(lines).toEqual([{ type: 'user', uuid: 'a', parentUuid: null, message: {} }])
  })

  test.prop([fc.string(), fc.string()])('never throws, whatever surrounds a line', (before, after) => {
    const own = JSON.stringify(line('a', null))
    expect(ids(readLines(`${before}\n${own}\n${after}`).lines)).toContain('a')
  })
})

describe('the conversation', () => {
  it('is the branch that ends in the last message', () => {
    const lines = [line('a', null), line('b', 'a'), line('c', 'b'), line('d', 'a')]
    expect(ids(conversationOf(lines))).toEqual(['a', 'd'])
    expect(ids(conversationOf(lines, 'c'))).toEqual(['a', 'b', 'c'])
  })

  it('is undefined at a message that is not there, and empty without any', () => {
    expect(conversationOf([line('a', null)], 'x')).toBeUndefined()
    expect(conversationOf([])).toEqual([])
  })

  it('goes through lines that say nothing, and leaves those of agents out', () => {
    const lines = [
      line('a', null),
      line('s', 'a', { type: 'system', message: undefined }),
      line('x', null, { isSidechain: true }),
      line('b', 's'),
    ]
    expect(ids(conversationOf(lines))).toEqual(['a', 's', 'b'])
  })

  it('goes on with the line before where one is missing', () => {
    expect(ids(conversationOf([line('a', null), line('c', 'b'), line('d', 'c')]))).toEqual(['a', 'c', 'd'])
  })

  const anyLines = fc.array(
    fc.record({
      uuid: fc.constantFrom('a', 'b', 'c', 'd'),
      parentUuid: fc.constantFrom('a', 'b', 'c', 'd', null),
    }),
    { maxLength: 12 },
  )
  test.prop([anyLines])('ends, in the order of the file, whatever the parents say', places => {
    const lines = places.map(({ uuid, parentUuid }, n) => line(uuid, parentUuid, { n }))
    const order = (conversationOf(lines) ?? []).map(({ n }) => n as number)
    expect(order).toEqual([...order].sort((a, b) => a - b))
    expect(new Set(order).size).toBe(order.length)
    expect(order.at(-1)).toBe(lines.length === 0 ? undefined : lines.length - 1)
  })
})
