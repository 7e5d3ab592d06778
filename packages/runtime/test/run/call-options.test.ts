import { describe, expect, it } from 'vitest'
import type { JsonValue } from '@tutti/protocol'
import { parseCall } from '../../src/run/call-options.ts'

describe('the options of agent()', () => {
  it('are taken as they are when they are all right', () => {
    const options = {
      label: 'a',
      retries: 0,
      tools: ['Read'],
      isolation: 'worktree',
      cache: 'content',
      cwd: 'a/b',
    }
    expect(parseCall('p', options)).toEqual({ prompt: 'p', options })
  })

  it('are refused by name when unknown, with the known ones', () => {
    expect(() => parseCall('p', { scheme: {} })).toThrow(/"scheme".*schema/)
    expect(() => parseCall('p', JSON.parse('{"__proto__": 1}') as JsonValue)).toThrow(/"__proto__"/)
    expect(() => parseCall('p', { toString: 1 })).toThrow(/"toString"/)
  })

  it.each([
    [{ label: '' }, 'label'],
    [{ label: 3 }, 'label'],
    [{ schema: [] }, 'schema'],
    [{ effort: 'huge' }, 'effort'],
    [{ tools: 'Read' }, 'tools'],
    [{ maxTurns: 0 }, 'maxTurns'],
    [{ isolation: 'vm' }, 'isolation'],
    [{ timeoutMs: -1 }, 'timeoutMs'],
    [{ stallMs: 0.5 }, 'stallMs'],
    [{ cache: true }, 'cache'],
    [{ cwd: '/etc' }, 'cwd'],
    [{ cwd: 'a/../../b' }, 'cwd'],
    [{ cwd: 'C:\\x' }, 'cwd'],
    [{ cwd: 'a\0b' }, 'cwd'],
  ] as [JsonValue, string][])('are refused when of the wrong kind: %j', (options, name) => {
    expect(() => parseCall('p', options)).toThrow(expect.objectContaining({ code: 'option-invalid' }))
    expect(() => parseCall('p', options)).toThrow(`"${name}"`)
  })

  it('need a prompt and must be an object', () => {
    for (const prompt of [null, '', ' \n']) expect(() => parseCall(prompt, {})).toThrow(/non-empty string/)
    expect(() => parseCall('p', null)).toThrow(/must be an object/)
    expect(() => parseCall('p', [])).toThrow(/must be an object/)
  })
})
