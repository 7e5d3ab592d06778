import { until } from '@tutti-internal/e2e/installed/until'
import { describe, expect, it } from 'vitest'
import { isNotification, isSystem, lastRows, notified, results } from '../support/frames.ts'
import { hangs, says, type Line } from '../support/model-script.ts'
import { FAN_OUT, RESEARCH } from '../support/scripts.ts'
import { createSurroundings } from '../support/surroundings.ts'
import {
  heard,
  QUERY_RULES,
  sessionOptions,
  TENCENT_RULES,
  TencentTalk,
  tencentSdk,
} from '../support/tencent-client.ts'

const NEWS: Line = [/<task-notification>/, says('The workflow has ended.')]
const WORK: Line = [/Look into/, says('Found something.')]
const workflows = { 'deep-research': RESEARCH, 'fan-out': FAN_OUT }

describe.concurrent('a session of @tencent-ai/agent-sdk', () => {
  it('holds two turns, the second knowing the first', async () => {
    await using here = await createSurroundings({
      model: [
        [/My name is/, says('Hello, Ada.')],
        [/What is my name/, says('Ada.')],
      ],
    })
    {
      await using talk = TencentTalk.open(here)
      expect(results(await talk.say('My name is Ada.'))).toMatchObject([{ result: 'Hello, Ada.' }])
      expect(results(await talk.say('What is my name?'))).toMatchObject([{ result: 'Ada.' }])
      expect(JSON.stringify(here.model.requests[1]?.body)).toContain('My name is Ada.')
    }
    await here.program.exits()
    expect(here.program.problems(TENCENT_RULES)).toBe('')
  })

  it('changes model and permission mode, and asks what there is', async () => {
    await using here = await createSurroundings({ model: [[/./, says('Well.')]], workflows })
    {
      await using talk = TencentTalk.open(here)
      await talk.say('One')
      await talk.session.setModel('another-model')
      await talk.session.setPermissionMode('plan')
      expect(await talk.session.getAvailableModes()).not.toEqual([])
      expect(await talk.session.getAvailableModels()).not.toEqual([])
      expect((await talk.session.getAvailableCommands()).map(({ name }) => name)).toContain('deep-research')
      const [init] = (await talk.say('Two')).filter(isSystem('init'))
      expect(init).toMatchObject({ permissionMode: 'plan', model: 'another-model' })
    }
    expect(here.model.requests.map(({ body }) => body['model'])).toEqual(['mock-model', 'another-model'])
    await here.program.exits()
    expect(here.program.problems(TENCENT_RULES)).toBe('')
  })

  it('goes on with an earlier session', async () => {
    await using here = await createSurroundings({
      model: [
        [/The word is/, says('I will remember.')],
        [/Which word/, says('Heron.')],
      ],
    })
    const id = await (async () => {
      await using talk = TencentTalk.open(here)
      await talk.say('The word is heron.')
      return talk.session.sessionId
    })()
    await here.program.exits()
    {
      await using talk = new TencentTalk(tencentSdk.unstable_v2_resumeSession(id, sessionOptions(here)))
      expect(results(await talk.say('Which word?'))).toMatchObject([{ result: 'Heron.', session_id: id }])
    }
    await here.program.exits()
    expect(JSON.stringify(here.model.requests.at(-1)?.body)).toContain('The word is heron.')
    expect(here.program.problems(TENCENT_RULES)).toBe('')
  })

  it('reads the history of an earlier session when there is no prompt', async () => {
    await using here = await createSurroundings({ model: [[/./, says('I will remember.')]] })
    const id = await (async () => {
      await using talk = TencentTalk.open(here)
      await talk.say('The word is heron.')
      return talk.session.sessionId
    })()
    await here.program.exits()
    const query = tencentSdk.query({ options: { ...sessionOptions(here), resume: id } })
    const history = await heard(query)
    expect(JSON.stringify(history)).toContain('The word is heron.')
    expect(JSON.stringify(history)).toContain('I will remember.')
    await here.program.exits()
    expect(here.program.problems(TENCENT_RULES)).toBe('')
  })

  it('follows a workflow to its end within the turn that launched it', async () => {
    await using here = await createSurroundings({ model: [NEWS, WORK], workflows })
    {
      await using talk = TencentTalk.open(here)
      const turn = await talk.say('/deep-research topic=herons')
      expect(Object.values(notified(turn))).toEqual(['completed'])
      expect(results(turn)).toMatchObject([{ result: 'The workflow has ended.' }])
    }
    await here.program.exits()
    expect(here.program.problems(QUERY_RULES)).toBe('')
  })

  it('goes on talking while a workflow runs', async () => {
    await using here = await createSurroundings({
      model: [NEWS, [/Work on/, hangs()], [/Are you there/, says('I am.')]],
      workflows,
    })
    {
      await using talk = TencentTalk.open(here)
      await talk.session.send('/fan-out')
      await until('four requests', () => here.model.requests.length === 4)
      await talk.session.send('Are you there?')
      while (!talk.seen.some(({ result }) => result === 'I am.')) await talk.hear()
      expect(notified(talk.seen)).toEqual({})
    }
    await here.program.exits()
    expect(here.program.problems({ ...QUERY_RULES, cut: true })).toBe('')
  })

  it('interrupts a fan-out; rows follow the end', async () => {
    await using here = await createSurroundings({ model: [[/Work on/, hangs()], NEWS], workflows })
    {
      await using talk = TencentTalk.open(here)
      await talk.session.send('/fan-out')
      await until('four requests', () => here.model.requests.length === 4)
      await talk.session.interrupt()
      await here.program.seen(isNotification)
      await here.program.seen(
        frame => lastRows([frame]).filter(({ state }) => state === 'error').length === 4,
      )
    }
    await here.program.exits()
    const frames = here.program.frames()
    expect(Object.values(notified(frames))).toEqual(['stopped'])
    expect(lastRows(frames).map(({ error }) => error)).toEqual(
      Array.from({ length: 4 }, () => expect.stringMatching(/^subagent aborted: /)),
    )
    expect(here.program.problems(QUERY_RULES)).toBe('')
  })
})
