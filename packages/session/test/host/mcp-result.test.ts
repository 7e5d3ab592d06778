import { describe, expect, test } from 'vitest'
import { readMcpResult } from '../../src/host/mcp-result.ts'

describe('results of tools of servers', () => {
  test('parts become blocks that a model reads', () => {
    const result = readMcpResult({
      content: [
        { type: 'text', text: 'a' },
        { type: 'image', data: 'AAAA', mimeType: 'image/jpeg' },
        { type: 'resource', resource: { uri: 'file:///a', text: 'b' } },
        { type: 'resource', resource: { uri: 'file:///b', blob: 'AAAA' } },
        { type: 'audio' },
        null,
      ],
      isError: true,
    })
    expect(result).toEqual({
      failed: true,
      content: [
        { type: 'text', text: 'a' },
        { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'AAAA' } },
        { type: 'text', text: 'b' },
        { type: 'text', text: '[resource file:///b]' },
        { type: 'text', text: '[audio]' },
      ],
    })
  })

  test('without parts the structured result is told', () => {
    expect(readMcpResult({ structuredContent: { a: 1 } })).toEqual({
      structured: { a: 1 },
      content: [{ type: 'text', text: '{"a":1}' }],
    })
    expect(readMcpResult({}).content).toEqual([{ type: 'text', text: '[no output]' }])
  })
})
