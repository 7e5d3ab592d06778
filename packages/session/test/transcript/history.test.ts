import { describe, expect, it } from 'vitest'
import { historyOf } from '../../src/transcript/history.ts'
import type { TranscriptLine } from '../../src/transcript/transcript-line.ts'

function said(type: string, content: unknown): TranscriptLine {
  return { type, uuid: 'u', parentUuid: null, message: { role: type, content } } as TranscriptLine
}

describe('the history of a conversation', () => {
  it('is what was said, in the shape of the Messages API', () => {
    const use = { type: 'tool_use', id: 't1', name: 'Read', input: { file_path: 'a' } }
    const result = { type: 'tool_result', tool_use_id: 't1', content: 'text' }
    expect(
      historyOf([
        said('user', 'hello'),
        said('assistant', [use]),
        said('user', [result]),
        said('system', 'x'),
      ]),
    ).toEqual([
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: [use] },
      { role: 'user', content: [result] },
    ])
  })

  it('leaves out blocks that no model could take, and messages that say nothing', () => {
    const text = { type: 'text', text: 'kept' }
    const image = { type: 'image', source: {} }
    expect(
      historyOf([
        said('user', ''),
        said('user', [
          null,
          7,
          {},
          { type: 'text', text: '' },
          { type: 'tool_use', id: 'a', name: 'b' },
          image,
        ]),
        said('assistant', [
          { type: 'tool_use', name: 'no id' },
          { type: 'tool_result', tool_use_id: 'a' },
          text,
        ]),
        said('assistant', 7),
      ]),
    ).toEqual([
      { role: 'user', content: [image] },
      { role: 'assistant', content: [text] },
    ])
  })
})
