import { utimes } from 'node:fs/promises'
import { createSeededRandom } from '@tutti/runtime/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chooseSession, type ChosenSession, type SessionWish } from '../../src/transcript/choose-session.ts'
import { sessionFolder, type SessionFolder } from '../support/session-folder.ts'

const A = '00000000-0000-4000-8000-00000000000a'
const B = '00000000-0000-4000-8000-00000000000b'
const C = '00000000-0000-4000-8000-00000000000c'

let folder: SessionFolder
beforeEach(() => {
  folder = sessionFolder()
})
afterEach(() => folder.remove())

const choose = (wish: SessionWish): Promise<ChosenSession> =>
  chooseSession(folder.files, wish, createSeededRandom(7))

async function talk(sessionId: string, ...texts: string[]): Promise<void> {
  const log = folder.log(sessionId)
  texts.forEach((text, n) => {
    log.append({ role: n % 2 === 0 ? 'user' : 'assistant', content: text }, { uuid: `${sessionId}-${n}` })
  })
  await log.close()
}

describe('a new session', () => {
  it('has a fresh id, or the one that is given', async () => {
    expect((await choose({})).sessionId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/)
    expect(await choose({ sessionId: A.toUpperCase() })).toEqual({ sessionId: A })
    expect(await choose({ sessionId: A, fork: true })).toEqual({ sessionId: A })
  })

  it('does not take the id of another one', async () => {
    await talk(A, 'hello')
    await expect(choose({ sessionId: A })).rejects.toThrow(`there is a session ${A} already`)
  })

  it.each([
    [{ sessionId: 'x' }, '--session-id must be a UUID'],
    [{ sessionId: '../../etc' }, '--session-id must be a UUID'],
    [{ resumeAt: 'u' }, '--resume-session-at needs --resume'],
  ])('is refused for %j', async (wish, message) => {
    await expect(choose(wish)).rejects.toThrow(message)
  })
})

describe('a session that goes on', () => {
  beforeEach(() => talk(A, 'one', 'two', 'three'))

  it('has what was said, under its own id', async () => {
    const chosen = await choose({ resume: A, sessionId: A })
    expect(chosen).toMatchObject({ sessionId: A, earlier: { sessionId: A, damaged: 0 } })
    expect(chosen.earlier?.messages).toEqual([
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'two' },
      { role: 'user', content: 'three' },
    ])
  })

  it('ends at a message that is named', async () => {
    const { earlier } = await choose({ resume: A, resumeAt: `${A}-1` })
    expect(earlier?.messages.map(({ content }) => content)).toEqual(['one', 'two'])
    await expect(choose({ resume: A, resumeAt: 'nope' })).rejects.toThrow('has no message nope')
  })

  it('has a new id as a fork, or the one that is given', async () => {
    const forked = await choose({ resume: A, fork: true })
    expect(forked.sessionId).not.toBe(A)
    expect(forked.earlier?.messages).toHaveLength(3)
    expect((await choose({ resume: A, fork: true, sessionId: B })).sessionId).toBe(B)
    await talk(B, 'x')
    await expect(choose({ resume: A, fork: true, sessionId: B })).rejects.toThrow('already')
  })

  it('is refused where the wish contradicts itself or there is none', async () => {
    await expect(choose({ resume: A, sessionId: B })).rejects.toThrow('is not the session that is resumed')
    await expect(choose({ resume: C })).rejects.toThrow(`there is no session ${C} in this project`)
    await expect(choose({ resume: '../x' })).rejects.toThrow('--resume must be a UUID')
  })

  it('tells how many lines are damaged', async () => {
    await folder.write(B, `{"type":"user","uuid":"u","parentUuid":null,"message":{"content":"x"}}\n{"torn`)
    expect((await choose({ resume: B })).earlier).toMatchObject({ damaged: 1, messages: [{ content: 'x' }] })
  })
})

describe('the latest session', () => {
  it('is the one last written, of ours', async () => {
    await talk(A, 'a')
    await talk(B, 'b')
    await folder.write(C, '{"type":"user","uuid":"u","parentUuid":null,"message":{"content":"theirs"}}\n')
    await utimes(folder.files.path(A), 30, 30)
    await utimes(folder.files.path(B), 20, 20)
    await utimes(folder.files.path(C), 40, 40)
    expect((await choose({ resume: true })).sessionId).toBe(A)
    expect((await choose({ resume: C })).earlier?.messages).toHaveLength(1)
  })

  it('is refused where there is none', async () => {
    await expect(choose({ resume: true })).rejects.toThrow('no session in this project')
  })
})
