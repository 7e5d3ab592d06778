import type { ChatMessage } from '@tutti/agents/chat'
import { describe, expect, test } from 'vitest'
import type { TranscriptDetails } from '../../src/transcript-log.ts'
import { stageOpener } from '../support/open-stage.ts'
import { answer, says, uses } from '../support/scripted-chat.ts'
import { script } from '../workflow/support/desk-stage.ts'

const open = stageOpener()

describe('what is shown of a turn', () => {
  test('pieces of answers, when they are wanted', async () => {
    const event = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'He' } }
    for (const includePartialMessages of [true, false]) {
      const stage = open({
        config: { includePartialMessages },
        turns: [
          async (_message, { emit }) => {
            emit({ type: 'stream', event })
            return {}
          },
        ],
      })
      stage.user('Hi')
      await stage.result()
      const shown = stage.frames.filter(({ type }) => type === 'stream_event')
      expect(shown.map(frame => frame['event'])).toEqual(includePartialMessages ? [event] : [])
      stage.check({ cut: true })
    }
  })

  test('requests that are sent again', async () => {
    const stage = open({
      turns: [
        async (_message, { emit }) => {
          emit({ type: 'retry', cause: 'rate_limited', attempt: 2, delayMs: 1500.4 })
          return {}
        },
      ],
    })
    stage.user('Hi')
    await stage.result()
    expect(stage.frames.find(({ subtype }) => subtype === 'api_retry')).toMatchObject({
      attempt: 2,
      max_retries: 5,
      retry_delay_ms: 1500,
      error_status: null,
      error: 'rate_limit',
    })
    stage.check({ cut: true })
  })

  test('messages of the host come back when they are wanted, under their own ids', async () => {
    const stage = open({ options: { replayUserMessages: true } })
    stage.user('Hi', { uuid: '11111111-1111-4111-8111-111111111111' })
    stage.user('/help')
    await stage.result(2)
    expect(stage.frames.filter(({ type }) => type === 'user')).toMatchObject([
      {
        isReplay: true,
        uuid: '11111111-1111-4111-8111-111111111111',
        message: { role: 'user', content: 'Hi' },
      },
      { isReplay: true, message: { role: 'user', content: '/help' } },
    ])
  })

  test('no secret of the environment, whoever says it', async () => {
    const stage = open({
      options: { env: { MY_API_KEY: 'abcd-0123-xyz' }, replayUserMessages: true },
      turns: [says('It is abcd-0123-xyz.')],
    })
    stage.user('Is it abcd-0123-xyz?')
    expect(await stage.result()).toMatchObject({ result: 'It is [redacted].' })
    expect(JSON.stringify(stage.frames)).not.toContain('0123')
  })
})

describe('the transcript', () => {
  test('has every message once, in order, without secrets', async () => {
    const lines: [ChatMessage, TranscriptDetails | undefined][] = []
    let closed = false
    const stage = open({
      config: { permissionMode: 'bypassPermissions' },
      options: {
        env: { MY_API_KEY: 'abcd-0123-xyz' },
        log: {
          append: (message, details) => void lines.push([message, details]),
          written: async () => {},
          flush: async () => {},
          close: async () => void (closed = true),
        },
      },
      turns: [uses('Workflow', { script: script('return 1') }, 'It is abcd-0123-xyz.'), says('Fine.')],
    })
    stage.user('Go', { uuid: 'u1' })
    stage.endInput()
    await stage.session.done
    expect(closed).toBe(true)
    expect(lines.map(([{ role }]) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
      'assistant',
    ])
    expect(lines[0]).toEqual([{ role: 'user', content: 'Go' }, { uuid: 'u1' }])
    expect(lines[1]?.[1]).toMatchObject({ message: { model: 'scripted', usage: { input_tokens: 10 } } })
    expect(lines[2]?.[1]).toMatchObject({ toolUseResult: { status: 'async_launched' } })
    expect(lines[4]?.[1]).toMatchObject({ isMeta: true })
    expect(JSON.stringify(lines)).not.toContain('0123')
    const frame = stage.frames.find(({ type }) => type === 'assistant')
    expect(lines[1]?.[1]?.uuid).toBe(frame?.['uuid'])
  })

  test('has the answer before its tool is used', async () => {
    let write: () => void = () => {}
    const written = new Promise<void>(resolve => (write = resolve))
    const log = { append: () => {}, written: () => written, flush: async () => {}, close: async () => {} }
    const stage = open({
      config: { permissionMode: 'bypassPermissions' },
      options: { log },
      turns: [uses('Workflow', { script: script('return 1') })],
    })
    stage.user('Go')
    await stage.frame(({ type }) => type === 'assistant')
    await stage.desk.clock.advance(0)
    expect(stage.order()).not.toContain('system/task_started')
    write()
    await stage.frame(({ subtype }) => subtype === 'task_started')
  })

  test('what an earlier session said is said again to the model, and the hooks hear of it', async () => {
    const stage = open({
      options: { earlier: { sessionId: 's', messages: [{ role: 'user', content: 'Before' }] } },
      turns: [says('Yes.')],
    })
    await stage.ask({
      subtype: 'initialize',
      hooks: { SessionStart: [{ matcher: 'resume', hookCallbackIds: ['h'] }] },
    })
    stage.user('Now')
    stage.reply((await stage.question('hook_callback'))['request_id'], {})
    await stage.result()
    expect(stage.chat().messages.map(({ content }) => content)).toEqual(['Before', 'Now'])
  })
})

describe('an answer', () => {
  test('with a structured output gives it in the result', async () => {
    const stage = open({
      turns: [
        async (_message, { emit }) => {
          emit(answer([{ type: 'tool_use', id: 't', name: 'StructuredOutput', input: { n: 1 } }]))
          return { structuredOutput: { n: 1 }, text: 'ok' }
        },
      ],
    })
    stage.user('Hi')
    expect(await stage.result()).toMatchObject({ structured_output: { n: 1 } })
  })
})

describe('a command', () => {
  test('that was mistyped goes to the model, with a hint for it and for people', async () => {
    const stage = open({ turns: [says('Did you mean /demo?')] })
    await stage.desk.save('demo', script('return args'))
    stage.user('/deme depth=2')
    expect(await stage.result()).toMatchObject({ num_turns: 1, result: 'Did you mean /demo?' })
    expect(stage.chat().heard[0]?.content).toEqual([
      { type: 'text', text: '/deme depth=2' },
      { type: 'text', text: expect.stringContaining('/demo') as string },
    ])
    expect(stage.notes).toEqual([expect.stringContaining('the nearest is /demo')])
  })
})
