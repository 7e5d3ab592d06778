import { fc, test as property } from '@fast-check/vitest'
import type { JsonObject, JsonValue } from '@tutti/protocol'
import { describe, expect, test } from 'vitest'
import { stageOpener } from '../support/open-stage.ts'
import { says } from '../support/scripted-chat.ts'
import { createSessionStage } from '../support/session-stage.ts'

const open = stageOpener()

describe('lines of a host', () => {
  test('lines that are no frames are noted, and the session lives on', async () => {
    const stage = open()
    stage.send(
      'null',
      '42',
      '"text"',
      '[]',
      '{',
      '{}',
      '{"type":"poem"}',
      '',
      '   ',
      '{"type":"keep_alive"}\r',
    )
    expect(await stage.ask({ subtype: 'mcp_status' })).toMatchObject({ subtype: 'success' })
    expect(stage.notes).toHaveLength(7)
    expect(stage.notes.join('\n')).toContain('type "poem" is unknown')
    expect(stage.order()).toEqual(['control_response/success'])
  })

  test.each<[string, JsonValue]>([
    ['a line of unknown type', { type: 'poem', request_id: 'r1' }],
    ['a control request without a request', { type: 'control_request', request_id: 'r1' }],
    ['a control request without a subtype', { type: 'control_request', request_id: 'r1', request: { a: 1 } }],
    ['a subtype that is no text', { type: 'control_request', request_id: 'r1', request: { subtype: 7 } }],
  ])('%s is answered when it carries an id', async (_name, line) => {
    const stage = open()
    stage.send(line)
    const frame = await stage.frame(({ type }) => type === 'control_response')
    expect(frame['response']).toMatchObject({ subtype: 'error', request_id: 'r1' })
    stage.endInput()
    await stage.session.done
    stage.check()
  })

  test.each<[string, JsonObject]>([
    ['no message', {}],
    ['content of the wrong kind', { message: { role: 'user', content: 7 } }],
    ['a block that is none', { message: { role: 'user', content: [{ text: 'Hi' }] } }],
    ['a text that is none', { message: { role: 'user', content: [{ type: 'text', text: 5 }] } }],
    ['the role of the model', { message: { role: 'assistant', content: 'Hi' } }],
  ])('a user line with %s begins no turn', async (_name, fields) => {
    const stage = open()
    stage.send({ type: 'user', ...fields })
    stage.endInput()
    await stage.session.done
    expect(stage.frames).toEqual([])
    expect(stage.notes).toHaveLength(1)
  })

  test('a user line may lack session_id and parent_tool_use_id, and may have blocks', async () => {
    const stage = open({ turns: [says('One.'), says('Two.')] })
    stage.send({ type: 'user', message: { role: 'user', content: 'Hi' } })
    stage.send({ type: 'user', message: { content: [{ type: 'text', text: 'Hi' }] } })
    await stage.result(2)
    expect(stage.chat().heard.map(({ content }) => content)).toEqual(['Hi', [{ type: 'text', text: 'Hi' }]])
  })

  test('an empty message ends with an error and asks no model', async () => {
    const stage = open()
    stage.user('  ')
    expect(await stage.result()).toMatchObject({ is_error: true, errors: ['the message is empty'] })
    expect(stage.chat().heard).toEqual([])
  })

  test('a character that is split between two chunks is put together', async () => {
    const stage = open()
    const bytes = Buffer.from(
      `${JSON.stringify({ type: 'user', message: { role: 'user', content: 'Grüße 🎻' } })}\n`,
    )
    for (const byte of bytes) stage.send(Uint8Array.of(byte))
    await stage.result()
    expect(stage.chat().heard[0]?.content).toBe('Grüße 🎻')
  })

  test('a line that is nested too deeply is refused', async () => {
    const stage = open()
    stage.send(
      `{"type":"control_request","request_id":"r1","request":${'['.repeat(9000)}${']'.repeat(9000)}}`,
    )
    const frame = await stage.frame(({ type }) => type === 'control_response')
    expect(frame['response']).toMatchObject({ subtype: 'error', request_id: 'r1' })
  })

  test('a message that comes before initialize is answered is a turn after it', async () => {
    const stage = open({ turns: [says('Hello.')] })
    stage.send({
      type: 'control_request',
      request_id: 'i',
      request: { subtype: 'initialize', systemPrompt: 'Be brief.' },
    })
    stage.user('Hi')
    await stage.result()
    expect(stage.chat().config.systemPrompt).toBe('Be brief.')
    expect(stage.order().filter(kind => kind.startsWith('control'))).toEqual(['control_response/success'])
  })

  test('what looks like a prototype is only data', async () => {
    const stage = open()
    stage.send('{"type":"control_request","request_id":"r1","request":{"subtype":"__proto__"}}')
    stage.send('{"type":"control_request","request_id":"r2","request":{"subtype":"toString"}}')
    stage.send('{"type":"user","__proto__":{"a":1},"message":{"role":"user","content":"Hi"}}')
    await stage.result()
    const errors = stage.frames.filter(({ type }) => type === 'control_response')
    expect(errors.map(({ response }) => (response as JsonObject)['subtype'])).toEqual(['error', 'error'])
  })
})

describe('any input', () => {
  property.prop([fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 20 })], { numRuns: 60 })(
    'random bytes end with the input',
    async chunks => {
      const stage = createSessionStage()
      stage.send(...chunks)
      stage.endInput()
      await stage.session.done
      await stage.remove()
    },
  )

  const FRAMES: JsonValue[] = [
    { type: 'user', message: { role: 'user', content: 'Hi' }, uuid: 'u1' },
    { type: 'user', message: { role: 'user', content: '/help' } },
    { type: 'control_request', request_id: 'a', request: { subtype: 'initialize', hasPrompt: true } },
    { type: 'control_request', request_id: 'b', request: { subtype: 'initialize' } },
    { type: 'control_request', request_id: 'c', request: { subtype: 'interrupt' } },
    { type: 'control_request', request_id: 'd', request: { subtype: 'set_model', model: 7 } },
    { type: 'control_request', request_id: 'e', request: { subtype: 'stop_task', task_id: 'w12345678' } },
    { type: 'control_request', request_id: 'f', request: { subtype: 'x_tutti_task_state', task_id: 'w1' } },
    { type: 'control_response', response: { subtype: 'success', request_id: 'tutti_1', response: {} } },
    { type: 'control_response', response: {} },
    { type: 'control_cancel_request', request_id: 'a' },
    { type: 'keep_alive' },
  ]

  property.prop(
    [
      fc.array(fc.tuple(fc.constantFrom(...FRAMES), fc.double({ min: 0, max: 1.5, noNaN: true })), {
        maxLength: 15,
      }),
    ],
    { numRuns: 60 },
  )('frames in any order, some of them cut off, are each answered once', async picks => {
    const stage = createSessionStage()
    for (const [frame, part] of picks) {
      const text = JSON.stringify(frame)
      stage.send(part >= 1 ? text : text.slice(0, Math.floor(text.length * part)))
    }
    stage.endInput()
    await stage.session.done
    stage.check({ heldResults: true })
    const turns = picks.filter(([frame, part]) => part >= 1 && (frame as JsonObject)['type'] === 'user')
    expect(stage.results()).toHaveLength(turns.length)
    await stage.remove()
  })

  test('ten thousand requests are each answered once', async () => {
    const stage = open()
    const kinds = ['mcp_status', 'set_model', 'get_settings', 'no_such_thing', 'interrupt', 'initialize']
    for (let n = 0; n < 10_000; n++) {
      stage.send({
        type: 'control_request',
        request_id: `r${n}`,
        request: { subtype: kinds[n % kinds.length] ?? '' },
      })
    }
    stage.endInput()
    await stage.session.done
    const ids = stage.frames.map(({ response }) => (response as JsonObject)['request_id'])
    expect(ids).toHaveLength(10_000)
    expect(new Set(ids).size).toBe(10_000)
  })
})
