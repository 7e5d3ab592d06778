import { describe, expect, it } from 'vitest'
import { all, CLAUDE_RULES, CLAUDE_SDKS, claudeOptions, Talk } from '../support/claude-client.ts'
import { isResult, isSystem, kindsOf, results, type Frame } from '../support/frames.ts'
import { hangs, says, uses } from '../support/model-script.ts'
import { createSurroundings } from '../support/surroundings.ts'

describe.concurrent.each(CLAUDE_SDKS)('@anthropic-ai/claude-agent-sdk $version', ({ sdk }) => {
  it('gets the answer to a string prompt, and the process ends well', async () => {
    await using here = await createSurroundings({ model: [[/What is two/, says('It is four.')]] })
    const messages = await all(sdk.query({ prompt: 'What is two and two?', options: claudeOptions(here) }))
    expect(kindsOf(messages)).toEqual(['init', 'assistant', 'result'])
    expect(messages.at(-1)).toMatchObject({
      subtype: 'success',
      is_error: false,
      result: 'It is four.',
      num_turns: 1,
      permission_denials: [],
      usage: { input_tokens: 10, output_tokens: 5 },
    })
    expect(messages[0]).toMatchObject({ cwd: here.project.path, permissionMode: 'bypassPermissions' })
    expect(await here.program.exits()).toEqual([0])
    expect(here.program.problems(CLAUDE_RULES)).toBe('')
  })

  it('holds two turns over streamed input, the second knowing the first', async () => {
    await using here = await createSurroundings({
      model: [
        [/My name is/, says('Hello, Ada.')],
        [/What is my name/, says('Ada.')],
      ],
    })
    await using talk = new Talk(sdk, claudeOptions(here))
    talk.say('My name is Ada.')
    await talk.until('the first result', isResult)
    talk.say('What is my name?')
    await talk.until('the second result', isResult)
    await talk.end()
    expect(kindsOf(talk.seen)).toEqual(['init', 'assistant', 'result', 'init', 'assistant', 'result'])
    expect(results(talk.seen).map(({ result }) => result)).toEqual(['Hello, Ada.', 'Ada.'])
    expect(JSON.stringify(here.model.requests[1]?.body)).toContain('My name is Ada.')
    expect(await here.program.exits()).toEqual([0])
    expect(here.program.problems(CLAUDE_RULES)).toBe('')
  })

  it('changes model, permission mode and thinking between turns', async () => {
    await using here = await createSurroundings({ model: [[/./, says('Well.')]] })
    await using talk = new Talk(sdk, claudeOptions(here))
    talk.say('One')
    await talk.until('the first result', isResult)
    await talk.query.setModel('another-model')
    await talk.query.setPermissionMode('plan')
    await talk.query.setMaxThinkingTokens(2000)
    talk.say('Two')
    await talk.until('the second result', isResult)
    await talk.query.setModel()
    talk.say('Three')
    await talk.until('the third result', isResult)
    await talk.end()
    expect(here.model.requests.map(({ body }) => body['model'])).toEqual([
      'mock-model',
      'another-model',
      'mock-model',
    ])
    expect(here.model.requests[1]?.body['thinking']).toMatchObject({ budget_tokens: 2000 })
    const inits = talk.seen.filter(isSystem('init'))
    expect(inits.map(({ permissionMode }) => permissionMode)).toEqual(['bypassPermissions', 'plan', 'plan'])
    expect(inits.map(({ model }) => model)).toEqual(['mock-model', 'another-model', 'mock-model'])
    expect(here.program.problems(CLAUDE_RULES)).toBe('')
  })

  it('resumes a session by its id, and forks it', async () => {
    await using here = await createSurroundings({
      model: [
        [/The word is/, says('I will remember.')],
        [/Which word/, says('Heron.')],
      ],
    })
    const options = claudeOptions(here)
    const first = await all(sdk.query({ prompt: 'The word is heron.', options }))
    const id = String(first[0]?.['session_id'])
    const resumed = await all(sdk.query({ prompt: 'Which word?', options: { ...options, resume: id } }))
    const forked = await all(
      sdk.query({ prompt: 'Which word?', options: { ...options, resume: id, forkSession: true } }),
    )
    const continued = await all(sdk.query({ prompt: 'Which word?', options: { ...options, continue: true } }))
    for (const messages of [resumed, forked, continued]) {
      expect(results(messages).map(({ result }) => result)).toEqual(['Heron.'])
    }
    expect(resumed[0]?.['session_id']).toBe(id)
    expect(forked[0]?.['session_id']).not.toBe(id)
    for (const { body } of here.model.requests.slice(1)) {
      expect(JSON.stringify(body)).toContain('The word is heron.')
    }
    expect(here.program.problems(CLAUDE_RULES)).toBe('')
  })

  it('gets an object that fits the schema', async () => {
    const schema = {
      type: 'object',
      properties: { sum: { type: 'number' } },
      required: ['sum'],
      additionalProperties: false,
    }
    await using here = await createSurroundings({
      model: [
        [/Add them/, uses('StructuredOutput', { sum: 'four' })],
        [/./, uses('StructuredOutput', { sum: 4 })],
      ],
    })
    const options = claudeOptions(here, { outputFormat: { type: 'json_schema', schema } })
    const messages = await all(sdk.query({ prompt: 'Add them', options }))
    expect(messages.at(-1)).toMatchObject({ subtype: 'success', structured_output: { sum: 4 } })
    expect(here.program.problems(CLAUDE_RULES)).toBe('')
  })

  it('sees an answer in pieces', async () => {
    await using here = await createSurroundings({ model: [[/./, says('A rather long answer, in pieces.')]] })
    const options = claudeOptions(here, { includePartialMessages: true })
    const messages = await all(sdk.query({ prompt: 'Go', options }))
    const events = messages
      .filter(({ type }) => type === 'stream_event')
      .map(message => message['event'] as { type: string; delta?: { text?: string } })
    expect(events.map(({ delta }) => delta?.text ?? '').join('')).toBe('A rather long answer, in pieces.')
    expect(events[0]?.type).toBe('message_start')
    expect(events.at(-1)?.type).toBe('message_stop')
    expect(here.program.problems(CLAUDE_RULES)).toBe('')
  })

  it('interrupts a turn and goes on with the next', async () => {
    await using here = await createSurroundings({
      model: [
        [/Think for ever/, hangs()],
        [/Again/, says('Here I am.')],
      ],
    })
    await using talk = new Talk(sdk, claudeOptions(here, { includePartialMessages: true }))
    talk.say('Think for ever')
    await talk.until('a piece', ({ type }) => type === 'stream_event')
    await talk.query.interrupt()
    await talk.until('the result of the interrupted turn', isResult)
    talk.say('Again')
    expect(await talk.until('the next result', isResult)).toMatchObject({ result: 'Here I am.' })
    await talk.end()
    expect(await here.model.requests[0]?.ended).toBe('closed by client')
    expect(await here.program.exits()).toEqual([0])
    expect(here.program.problems(CLAUDE_RULES)).toBe('')
  })

  it('is told of an error of the model in a result, and ends well all the same', async () => {
    await using here = await createSurroundings({
      model: [[/./, { error: { status: 401, type: 'authentication_error', message: 'no such key' } }]],
    })
    const messages: Frame[] = []
    let thrown: unknown
    try {
      for await (const message of sdk.query({ prompt: 'Go', options: claudeOptions(here) })) {
        messages.push(message)
      }
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBeUndefined()
    expect(messages.at(-1)).toMatchObject({ type: 'result', is_error: true })
    expect(await here.program.exits()).toEqual([0])
    expect(here.program.problems(CLAUDE_RULES)).toBe('')
  })

  it('asks what there is: commands, models, agents, account, servers', async () => {
    await using here = await createSurroundings({
      model: [[/./, says('Yes.')]],
      workflows: { audit: "export const meta = { name: 'audit', description: 'Audits it' }\nreturn 1" },
    })
    await using talk = new Talk(sdk, claudeOptions(here))
    talk.say('Go')
    await talk.until('the result', isResult)
    const commands = await talk.query.supportedCommands()
    expect(commands).toContainEqual(expect.objectContaining({ name: 'audit', description: 'Audits it' }))
    expect(await talk.query.supportedModels()).not.toEqual([])
    expect(JSON.stringify(await talk.query.accountInfo())).not.toContain('key-of-the-test')
    expect(await talk.query.mcpServerStatus()).toEqual([])
    await talk.end()
    expect(talk.seen[0]?.['slash_commands']).toContain('audit')
    expect(here.program.problems(CLAUDE_RULES)).toBe('')
  })
})
