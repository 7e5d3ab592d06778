import { startMockModel, type MockReply, type MockRequest } from '@tutti-internal/mock-model'
import type { AgentContinuation, TranscriptLine } from '@tutti/runtime'
import { describe, expect, test } from 'vitest'
import type { Wire } from '../../src/model/endpoint.ts'
import { callOf, play, stageFor, type Played } from '../stage/stage.ts'
import { projectWith } from '../tools/project.ts'
import { modelBackend } from './backend-at.ts'

const FIRST = 'a0000000000000001'
const SECOND = 'a0000000000000002'
const THIRD = 'a0000000000000003'
const MESSAGE = 'You were interrupted. Go on.'

const use = (name: string, input: object): MockReply => ({ toolCalls: [{ name, input }] })
const after = (sessionId: string, required = true): AgentContinuation => ({
  sessionId,
  cause: 'timeout',
  message: MESSAGE,
  required,
})

interface Told extends Played {
  requests: MockRequest[]
}

interface Scene {
  wire?: Wire
  root: string
  transcripts: Record<string, TranscriptLine[]>
}

/** Plays one try; its transcript is kept under its id. */
async function tell(
  { wire = 'anthropic', root, transcripts }: Scene,
  replies: MockReply[],
  given: Parameters<typeof play>[1] & { transcriptId: string },
): Promise<Told> {
  await using server = await startMockModel({ replies })
  const workspace = { projectRoot: root, env: process.env, permissions: { allow: ['Bash'] } }
  const played = await play(modelBackend(wire, server.url, { workspace }), given, {
    readTranscript: async id => transcripts[id] ?? [],
  })
  transcripts[given.transcriptId] = played.transcript
  return { ...played, requests: server.requests }
}

const bodyOf = ({ requests }: Told, n = 0): string => JSON.stringify(requests[n]?.body)

describe.each(['anthropic', 'openai', 'responses', 'google'] as const)('over the %s wire', wire => {
  test('a conversation goes on with all that was said and used, and the cause as the next message', async () => {
    await using project = await projectWith({ 'a.txt': 'the words of the file\n' })
    const scene = { wire, root: project.root, transcripts: {} }
    const read = { thinking: 'I look.', ...use('Read', { file_path: 'a.txt' }) }
    const first = await tell(scene, [read, { error: { status: 400, message: 'no' } }], {
      prompt: 'Read it.',
      transcriptId: FIRST,
    })
    expect(first.outcome).toMatchObject({ status: 'failed', sessionId: FIRST })
    expect(first.events).toContainEqual({ type: 'session', sessionId: FIRST })
    const second = await tell(scene, [{ text: 'done' }], {
      prompt: 'Read it.',
      transcriptId: SECOND,
      continueFrom: after(FIRST),
    })
    expect(second.outcome).toMatchObject({ status: 'ok', value: 'done' })
    const body = bodyOf(second)
    const places = ['Read it.', 'the words of the file', MESSAGE].map(text => body.lastIndexOf(text))
    expect(places.every(at => at > 0)).toBe(true)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(body.match(/Read it\./g)).toHaveLength(1)
  })
})

describe('a continued conversation', () => {
  test('is one more message of it: nothing of its beginning is another', async () => {
    await using project = await projectWith({ 'a.txt': 'x\n' })
    const scene = { root: project.root, transcripts: {} }
    const first = await tell(
      scene,
      [
        { thinking: 'I look.', ...use('Read', { file_path: 'a.txt' }) },
        use('Bash', { command: 'echo out' }),
        { error: { status: 400 } },
      ],
      { prompt: 'Do it.', transcriptId: FIRST },
    )
    const second = await tell(scene, [{ text: 'done' }], {
      prompt: 'Do it.',
      transcriptId: SECOND,
      continueFrom: after(FIRST),
    })
    const [before, now] = [first.requests[2], second.requests[0]].map(request => request?.body) as [
      { system: unknown; tools: unknown; messages: { role: string; content: object[] }[] },
      { system: unknown; tools: unknown; messages: { role: string; content: object[] }[] },
    ]
    expect([now.system, now.tools]).toEqual([before.system, before.tools])
    expect(now.messages).toHaveLength(before.messages.length)
    const last = now.messages.at(-1)
    expect(last?.role).toBe('user')
    expect(
      withoutMarks([...now.messages.slice(0, -1), { ...last, content: last?.content.slice(0, -1) }]),
    ).toEqual(withoutMarks(before.messages))
    expect(last?.content.at(-1)).toMatchObject({ type: 'text', text: MESSAGE })
  })

  test('can be continued again, over any number of tries', async () => {
    await using project = await projectWith({ 'a.txt': 'one\n', 'b.txt': 'two\n' })
    const scene = { root: project.root, transcripts: {} }
    const broken: MockReply = { error: { status: 400 } }
    await tell(scene, [use('Read', { file_path: 'a.txt' }), broken], { prompt: 'P.', transcriptId: FIRST })
    const second = await tell(scene, [use('Read', { file_path: 'b.txt' }), broken], {
      prompt: 'P.',
      transcriptId: SECOND,
      continueFrom: after(FIRST),
    })
    expect(second.outcome.sessionId).toBe(SECOND)
    const third = await tell(scene, [{ text: 'done' }], {
      prompt: 'P.',
      transcriptId: THIRD,
      continueFrom: after(SECOND),
    })
    const body = bodyOf(third)
    for (const text of ['P.', '→one', '→two']) expect(body).toContain(text)
    expect(body.split(MESSAGE)).toHaveLength(3)
  })

  test('has a result for every use of a tool, also for one that was under way', async () => {
    await using project = await projectWith()
    const transcripts: Record<string, TranscriptLine[]> = {}
    await using server = await startMockModel({
      replies: [
        {
          toolCalls: [
            { name: 'Bash', input: { command: 'sleep 30' } },
            { name: 'Bash', input: { command: 'echo never' } },
          ],
        },
      ],
    })
    const workspace = { projectRoot: project.root, env: process.env, permissions: { allow: ['Bash'] } }
    const { context, stop, transcript } = await stageFor()
    const execution = modelBackend('anthropic', server.url, { workspace }).start(
      callOf({ transcriptId: FIRST }),
      context,
    )
    for await (const event of execution.events) if (event.type === 'tool_start') stop.abort()
    expect(await execution.result).toMatchObject({ cause: 'stopped', sessionId: FIRST })
    transcripts[FIRST] = transcript
    const second = await tell({ root: project.root, transcripts }, [{ text: 'done' }], {
      transcriptId: SECOND,
      continueFrom: after(FIRST),
    })
    expect(second.outcome.status).toBe('ok')
    const { messages } = (second.requests[0] as MockRequest).body as unknown as {
      messages: { content: { type: string }[] }[]
    }
    const kinds = messages.flatMap(({ content }) => content.map(({ type }) => type))
    expect(kinds.filter(kind => kind === 'tool_use')).toHaveLength(2)
    expect(kinds.filter(kind => kind === 'tool_result')).toHaveLength(2)
  })

  test('leaves out an answer that broke off', async () => {
    await using project = await projectWith({ 'a.txt': 'x\n' })
    const scene = { root: project.root, transcripts: {} }
    await tell(
      scene,
      [
        use('Read', { file_path: 'a.txt' }),
        { text: 'a long answer that breaks off', disconnectAfter: 4 },
        { error: { status: 400 } },
      ],
      { transcriptId: FIRST },
    )
    expect(JSON.stringify(scene.transcripts)).toContain('a long')
    const second = await tell(scene, [{ text: 'done' }], { transcriptId: SECOND, continueFrom: after(FIRST) })
    expect(bodyOf(second)).not.toContain('a long')
  })

  test('hands over an object as one that was not interrupted', async () => {
    await using project = await projectWith({ 'a.txt': 'x\n' })
    const schema = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } }
    const scene = { root: project.root, transcripts: {} }
    await tell(scene, [use('StructuredOutput', { n: 'x' }), { error: { status: 400 } }], {
      schema,
      transcriptId: FIRST,
    })
    const second = await tell(scene, [use('StructuredOutput', { n: 1 })], {
      schema,
      transcriptId: SECOND,
      continueFrom: after(FIRST),
    })
    expect(second.outcome).toMatchObject({ status: 'ok', value: { n: 1 } })
  })
})

describe('a conversation that is not there', () => {
  const gap = [{ type: 'transcript_gap', dropped: 3 }]

  test.each([
    ['its transcript is missing', {}],
    ['its transcript has gaps', { [FIRST]: gap }],
  ])('fails the agent when %s and it must go on', async (_, transcripts) => {
    await using project = await projectWith()
    const { outcome, requests } = await tell({ root: project.root, transcripts }, [], {
      transcriptId: SECOND,
      continueFrom: after(FIRST),
    })
    expect(outcome).toMatchObject({ cause: 'invalid_request', message: expect.stringContaining(FIRST) })
    expect(requests).toEqual([])
  })

  test('lets it begin anew when it need not', async () => {
    await using project = await projectWith()
    const told = await tell({ root: project.root, transcripts: {} }, [{ text: 'done' }], {
      prompt: 'From the start.',
      transcriptId: SECOND,
      continueFrom: after(FIRST, false),
    })
    expect(told.outcome.status).toBe('ok')
    expect(bodyOf(told)).toContain('From the start.')
    expect(bodyOf(told)).not.toContain(MESSAGE)
  })

  test('is none before the model has answered', async () => {
    await using project = await projectWith()
    const { outcome } = await tell({ root: project.root, transcripts: {} }, [{ error: { status: 400 } }], {
      transcriptId: FIRST,
    })
    expect(outcome.sessionId).toBeUndefined()
  })
})

/** Which part is marked for the cache moves on with the conversation. */
function withoutMarks(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, part: unknown) => (key === 'cache_control' ? undefined : part)),
  )
}
