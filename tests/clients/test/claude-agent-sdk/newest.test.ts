// What only the newest of the tested versions offers.
import type { HookCallback, Options } from 'claude-agent-sdk-332'
import { describe, expect, it } from 'vitest'
import { all, CLAUDE_RULES, CLAUDE_SDKS, claudeOptions, Talk } from '../support/claude-client.ts'
import { isNotification, isResult, isSystem, notified } from '../support/frames.ts'
import { hangs, says, uses } from '../support/model-script.ts'
import { FAN_OUT } from '../support/scripts.ts'
import { createSurroundings } from '../support/surroundings.ts'

const [{ sdk, version }] = CLAUDE_SDKS as [(typeof CLAUDE_SDKS)[number]]

describe.concurrent(`@anthropic-ai/claude-agent-sdk ${version}`, () => {
  it('has a hook that fails block the tool, where it says so', async () => {
    await using here = await createSurroundings({
      model: [
        [/Make a file/, uses('Bash', { command: 'touch made-by-bash', description: 'Makes a file' })],
        [/./, says('So be it.')],
      ],
    })
    const fails: HookCallback = () => Promise.reject(new Error('the hook is broken'))
    const hooks: Options['hooks'] = { PreToolUse: [{ hooks: [fails], onFailure: 'block' }] }
    const messages = await all(sdk.query({ prompt: 'Make a file', options: claudeOptions(here, { hooks }) }))
    expect(messages.at(-1)).toMatchObject({ type: 'result', result: 'So be it.' })
    expect(here.project.list()).not.toContain('made-by-bash')
    expect(here.program.problems(CLAUDE_RULES)).toBe('')
  })

  it('interrupts the turn only, once it can stop tasks one by one', async () => {
    await using here = await createSurroundings({
      model: [
        [/Work on/, hangs()],
        [/Think for ever/, hangs()],
        [/<task-notification>/, says('It was stopped.')],
      ],
      workflows: { 'fan-out': FAN_OUT },
    })
    const options = claudeOptions(here, { perTaskStopAffordance: true, includePartialMessages: true })
    await using talk = new Talk(sdk, options)
    talk.say('/fan-out')
    await talk.until('the result of the launch', isResult)
    const id = String(talk.seen.find(isSystem('task_started'))?.['task_id'])
    talk.say('Think for ever')
    await talk.until('a piece', ({ type }) => type === 'stream_event')
    await talk.query.interrupt()
    await talk.until('the result of the interrupted turn', isResult)
    expect(notified(talk.seen)).toEqual({})
    await talk.query.stopTask(id)
    await talk.until('the notification', isNotification)
    await talk.end()
    expect(notified(talk.seen)).toEqual({ [id]: 'stopped' })
    expect(here.program.problems(CLAUDE_RULES)).toBe('')
  })
})
