import { readFile } from 'node:fs/promises'
import type { MockReply } from '@tutti-internal/mock-model'
import { describe, expect, test } from 'vitest'
import { chatWith, eventsOf } from './chat-at.ts'

const use = (name: string, input: unknown): MockReply => ({ toolCalls: [{ name, input }] })

describe.each(['anthropic', 'openai', 'responses', 'google'] as const)('over the %s wire', wire => {
  test('a message is answered, and the next one knows of it', async () => {
    const usage = { input: 10, output: 5 }
    await using scene = await chatWith({
      wire,
      replies: [
        { text: 'Hello there.', usage },
        { text: 'Again.', usage },
      ],
    })
    const { end, events } = await scene.say('Hi')
    expect(end).toMatchObject({
      outcome: 'success',
      text: 'Hello there.',
      stopReason: 'end_turn',
      errors: [],
      answers: 1,
      usage: { 'test-model': { input: 10, output: 5, costUsd: null } },
      denials: [],
    })
    expect(eventsOf(events, 'assistant')).toMatchObject([
      {
        message: {
          type: 'message',
          role: 'assistant',
          model: 'test-model',
          content: [{ type: 'text', text: 'Hello there.' }],
          stop_reason: 'end_turn',
          usage: { input_tokens: 10, output_tokens: 5 },
        },
      },
    ])
    await scene.say('And now?')
    const second = JSON.stringify(scene.server.requests[1]?.body)
    for (const text of ['Hi', 'Hello there.', 'And now?']) expect(second).toContain(text)
    expect(scene.chat.messages).toEqual([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: [{ type: 'text', text: 'Hello there.' }] },
      { role: 'user', content: 'And now?' },
      { role: 'assistant', content: [{ type: 'text', text: 'Again.' }] },
    ])
  })

  test('tools are used until the model answers without one', async () => {
    await using scene = await chatWith({
      wire,
      files: { 'a.txt': 'helo\n' },
      config: { permissions: { defaultMode: 'acceptEdits', allow: ['Bash(cat:*)'] } },
      replies: [
        use('Read', { file_path: 'a.txt' }),
        use('Edit', { file_path: 'a.txt', old_string: 'helo', new_string: 'hello' }),
        use('Bash', { command: 'cat a.txt' }),
        { text: 'Fixed.' },
      ],
    })
    const { end, events } = await scene.say('Fix the typo.')
    expect(end).toMatchObject({ outcome: 'success', text: 'Fixed.', answers: 4 })
    expect(await readFile(scene.project.path('a.txt'), 'utf8')).toBe('hello\n')
    expect(eventsOf(events, 'tool_result').map(({ toolName, result }) => [toolName, result.failed])).toEqual([
      ['Read', undefined],
      ['Edit', undefined],
      ['Bash', undefined],
    ])
    expect(eventsOf(events, 'assistant').map(({ message }) => message.stop_reason)).toEqual([
      'tool_use',
      'tool_use',
      'tool_use',
      'end_turn',
    ])
    expect(JSON.stringify(scene.server.requests[3]?.body)).toContain('hello')
  })
})
