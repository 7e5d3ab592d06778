import { symlink } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TranscriptLine } from '../../src/transcript/transcript-line.ts'
import { CWD, sessionFolder, type SessionFolder } from '../support/session-folder.ts'

const A = '00000000-0000-4000-8000-00000000000a'
const B = '00000000-0000-4000-8000-00000000000b'

let folder: SessionFolder
beforeEach(() => {
  folder = sessionFolder()
})
afterEach(() => folder.remove())

describe('a transcript', () => {
  it('has a line for each message, each naming the one before', async () => {
    const log = folder.log(A)
    log.append({ role: 'user', content: 'hello' }, { uuid: 'u1' })
    log.append(
      { role: 'assistant', content: [{ type: 'text', text: 'hi' }] },
      { uuid: 'u2', message: { id: 'msg_1', model: 'm', usage: { output_tokens: 1 } } },
    )
    log.append({ role: 'user', content: 'note' }, { isMeta: true, toolUseResult: { ok: true } })
    await log.flush()
    const [first, second, third] = await folder.lines(A)
    expect(first).toEqual({
      parentUuid: null,
      isSidechain: false,
      userType: 'external',
      cwd: CWD,
      sessionId: A,
      version: '2.1.220',
      program: 'tutti',
      type: 'user',
      message: { role: 'user', content: 'hello' },
      uuid: 'u1',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
    })
    expect(second).toMatchObject({
      type: 'assistant',
      parentUuid: 'u1',
      message: { role: 'assistant', id: 'msg_1', model: 'm', content: [{ type: 'text', text: 'hi' }] },
    })
    expect(third).toMatchObject({ parentUuid: 'u2', isMeta: true, toolUseResult: { ok: true } })
    expect(third?.['uuid']).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('has a message when it says that it is written', async () => {
    const log = folder.log(A)
    log.append({ role: 'user', content: 'hello' })
    await log.written()
    expect(await folder.lines(A)).toHaveLength(1)
  })

  it('makes no file before the first message', async () => {
    const log = folder.log(A)
    await log.flush()
    await log.close()
    expect(await folder.files.exists(A)).toBe(false)
  })

  it('takes nothing after its end', async () => {
    const log = folder.log(A)
    log.append({ role: 'user', content: 'one' })
    await log.close()
    log.append({ role: 'user', content: 'two' })
    await log.flush()
    expect(await folder.lines(A)).toHaveLength(1)
    expect(folder.problems).toEqual([])
  })

  it('goes on behind an earlier conversation', async () => {
    await folder.write(A, '{"type":"user","uuid":"u1","parentUuid":null}\n{"torn')
    const conversation: TranscriptLine[] = [{ type: 'user', uuid: 'u1', parentUuid: null }]
    const log = folder.log(A, { earlier: { sessionId: A, conversation } })
    log.append({ role: 'user', content: 'more' })
    await log.close()
    const text = (await folder.files.read(A)) ?? ''
    const [, torn, last = ''] = text.split('\n')
    expect(torn).toBe('{"torn')
    expect(JSON.parse(last)).toMatchObject({ parentUuid: 'u1', message: { content: 'more' } })
  })

  it('begins with a copy of the conversation of another session', async () => {
    const conversation: TranscriptLine[] = [
      { type: 'user', uuid: 'u1', parentUuid: null, sessionId: A, message: { role: 'user', content: 'x' } },
    ]
    const log = folder.log(B, { earlier: { sessionId: A, conversation } })
    log.append({ role: 'user', content: 'more' })
    await log.close()
    expect(await folder.lines(B)).toMatchObject([
      { uuid: 'u1', sessionId: B, forkedFrom: { sessionId: A, messageUuid: 'u1' } },
      { parentUuid: 'u1', sessionId: B },
    ])
    expect(await folder.files.exists(A)).toBe(false)
  })

  it('that cannot be written is told once and ends nothing', async () => {
    await folder.write(B, 'elsewhere')
    await symlink(folder.files.path(B), folder.files.path(A))
    const log = folder.log(A)
    log.append({ role: 'user', content: 'one' })
    log.append({ role: 'user', content: 'two' })
    await log.flush()
    await log.close()
    expect(folder.problems).toHaveLength(1)
    expect(folder.problems[0]).toContain('not written any more')
    expect(await folder.files.read(B)).toBe('elsewhere')
  })
})
