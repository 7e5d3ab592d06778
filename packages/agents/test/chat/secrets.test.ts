import type { MockReply } from '@tutti-internal/mock-model'
import { describe, expect, test } from 'vitest'
import { SECRET } from '../model/backend-at.ts'
import { chatWith } from './chat-at.ts'

const OTHER = 'gho_0123456789abcdef0123'
const use = (name: string, input: unknown): MockReply => ({ toolCalls: [{ name, input }] })

describe.each(['anthropic', 'openai', 'google'] as const)('over the %s wire', wire => {
  test('no secret gets from a file, a command or a host into events, messages or requests', async () => {
    const env = { PATH: process.env.PATH, ANTHROPIC_API_KEY: SECRET, GITHUB_TOKEN: OTHER }
    const tool = { name: 'Leak', description: '', inputSchema: { type: 'object' }, readOnly: true }
    const leak = {
      ...tool,
      run: async () => ({ content: [{ type: 'text', text: OTHER }], structured: { key: SECRET } }),
    }
    await using scene = await chatWith({
      wire,
      files: { '.env': `KEY=${SECRET}\nTOKEN=${OTHER}\n` },
      workspace: { env },
      config: { permissions: { defaultMode: 'bypassPermissions' }, extraTools: [leak] },
      replies: [
        use('Read', { file_path: '.env' }),
        use('Bash', { command: 'env; cat .env; cat /proc/$PPID/environ | tr "\\0" "\\n"' }),
        use('Leak', {}),
        { text: `The key is ${SECRET}.`, pieceLength: 100 },
      ],
    })
    const { end, events } = await scene.say('What is the key?')
    expect(end.outcome).toBe('success')
    const everything = JSON.stringify([
      end,
      events,
      scene.chat.messages,
      scene.server.requests.map(({ body }) => body),
    ])
    expect(everything).toContain('[redacted]')
    expect(everything).not.toContain(SECRET)
    expect(everything).not.toContain(OTHER)
  })
})

test('an error of the endpoint that repeats the key does not', async () => {
  await using scene = await chatWith({
    replies: [{ error: { status: 401, type: 'authentication_error', message: `bad key ${SECRET}` } }],
  })
  const { end } = await scene.say('Hi')
  expect(end.errors).toEqual([
    'the model endpoint answered 401 (authentication_error): bad key [redacted]; check ANTHROPIC_API_KEY',
  ])
})
