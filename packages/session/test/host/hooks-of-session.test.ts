import type { JsonObject } from '@tutti/protocol'
import { describe, expect, test } from 'vitest'
import { stageOpener } from '../support/open-stage.ts'
import { says, uses } from '../support/scripted-chat.ts'
import { type Frame, type SessionStage, type SessionStageOptions } from '../support/session-stage.ts'
import { script, SESSION_ID } from '../workflow/support/desk-stage.ts'

const open = stageOpener()
const launch = uses('Workflow', { script: script('return 1') })

/** A session whose host has these hooks; each has one callback named after its event. */
async function hooked(
  events: string[],
  options: SessionStageOptions = {},
  more: JsonObject = {},
): Promise<SessionStage> {
  const stage = open({ ...options, config: { permissionMode: 'bypassPermissions', ...options.config } })
  const hooks = Object.fromEntries(events.map(event => [event, [{ hookCallbackIds: [event], ...more }]]))
  await stage.ask({ subtype: 'initialize', hooks })
  return stage
}

function requestOf(frame: Frame): JsonObject {
  return frame['request'] as JsonObject
}

async function answerHook(stage: SessionStage, n: number, response: JsonObject): Promise<JsonObject> {
  const question = await stage.question('hook_callback', n)
  stage.reply(question['request_id'], response)
  return requestOf(question)
}

describe('hooks of tools', () => {
  test('PreToolUse hears the use and may deny it', async () => {
    const stage = await hooked(['PreToolUse'], { turns: [launch], options: { transcriptPath: '/t.jsonl' } })
    stage.user('Go')
    const request = await answerHook(stage, 1, {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'Not today.',
      },
    })
    expect(request).toMatchObject({
      callback_id: 'PreToolUse',
      input: {
        hook_event_name: 'PreToolUse',
        session_id: SESSION_ID,
        transcript_path: '/t.jsonl',
        cwd: stage.desk.cwd,
        permission_mode: 'bypassPermissions',
        tool_name: 'Workflow',
        tool_input: { script: script('return 1') },
      },
    })
    expect(request['tool_use_id']).toBe((request['input'] as JsonObject)['tool_use_id'])
    await stage.result()
    expect(JSON.stringify(stage.frames)).toContain('Not today.')
    expect(stage.order()).not.toContain('system/task_started')
    stage.check({ cut: true })
  })

  test('PreToolUse may change the input', async () => {
    const stage = await hooked(['PreToolUse'], { turns: [launch] })
    stage.user('Go')
    await answerHook(stage, 1, {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        updatedInput: { script: script('return 2', 'other') },
      },
    })
    expect(await stage.frame(({ subtype }) => subtype === 'task_started')).toMatchObject({
      workflow_name: 'other',
    })
    await stage.result()
  })

  test('PostToolUse hears the result, and the model hears what it says', async () => {
    const stage = await hooked(['PostToolUse'], { turns: [launch] })
    stage.user('Go')
    const request = await answerHook(stage, 1, {
      decision: 'block',
      reason: 'Look again.',
      hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'It is late.' },
    })
    expect(request['input']).toMatchObject({
      tool_name: 'Workflow',
      tool_response: { status: 'async_launched' },
    })
    await stage.result()
    expect(JSON.stringify(stage.frames.find(({ type }) => type === 'user'))).toContain(
      'Look again.\\nIt is late.',
    )
  })

  test('PostToolUse may end the turn', async () => {
    const stage = await hooked(['PostToolUse'], { turns: [launch] })
    stage.user('Go')
    await answerHook(stage, 1, { continue: false, stopReason: 'Enough.' })
    expect(await stage.result()).toMatchObject({ subtype: 'success', result: 'Enough.' })
  })

  test('a use that failed is heard by PostToolUseFailure', async () => {
    const stage = await hooked(['PostToolUse', 'PostToolUseFailure'], {
      turns: [uses('Workflow', { script: 'no meta' })],
    })
    stage.user('Go')
    const request = await answerHook(stage, 1, {})
    expect(request['input']).toMatchObject({
      hook_event_name: 'PostToolUseFailure',
      error: expect.stringContaining('meta') as string,
    })
  })

  test('only hooks whose matcher fits are asked', async () => {
    const stage = await hooked(['PreToolUse'], { turns: [launch] }, { matcher: 'Bash|Edit' })
    stage.user('Go')
    await stage.result()
    expect(stage.order()).not.toContain('control_request/hook_callback')
  })

  test('a command of a workflow is heard, too', async () => {
    const stage = await hooked(['PreToolUse'])
    await stage.desk.save('demo', script('return 1'))
    stage.user('/demo')
    await answerHook(stage, 1, { decision: 'block', reason: 'Not by hand.' })
    expect(await stage.result()).toMatchObject({ is_error: true, errors: ['Not by hand.'] })
  })
})

describe('hooks that fail', () => {
  test('are noted, and the use goes on', async () => {
    const stage = await hooked(['PreToolUse'], { turns: [launch] })
    stage.user('Go')
    const { request_id: id } = await stage.question('hook_callback')
    stage.send({
      type: 'control_response',
      response: { subtype: 'error', request_id: id ?? '', error: 'no such hook' },
    })
    await stage.frame(({ subtype }) => subtype === 'task_started')
    expect(stage.notes.join('\n')).toContain('hook PreToolUse of PreToolUse failed: no such hook')
  })

  test('refuse when they are said to block', async () => {
    const stage = await hooked(['PreToolUse'], { turns: [launch] }, { onFailure: 'block' })
    stage.user('Go')
    const { request_id: id } = await stage.question('hook_callback')
    stage.send({
      type: 'control_response',
      response: { subtype: 'error', request_id: id ?? '', error: 'no such hook' },
    })
    await stage.result()
    expect(stage.order()).not.toContain('system/task_started')
  })

  test('are withdrawn when their time is over', async () => {
    const stage = await hooked(['PreToolUse'], { turns: [launch] }, { timeout: 5 })
    stage.user('Go')
    const { request_id: id } = await stage.question('hook_callback')
    await stage.desk.clock.advance(5000)
    expect(await stage.frame(({ type }) => type === 'control_cancel_request')).toMatchObject({
      request_id: id,
    })
    await stage.frame(({ subtype }) => subtype === 'task_started')
    // The answer that comes after all is ignored.
    stage.reply(id, { decision: 'block' })
    await stage.result()
  })

  test('are given up when the host leaves, and none is asked any more', async () => {
    const stage = await hooked(['PreToolUse', 'Stop'], { turns: [launch] })
    stage.user('Go')
    await stage.question('hook_callback')
    stage.endInput()
    await stage.session.done
    expect(stage.order().filter(kind => kind === 'control_request/hook_callback')).toHaveLength(1)
    expect(stage.order()).toContain('system/task_notification/completed')
  })
})

describe('hooks of the conversation', () => {
  test('SessionStart and UserPromptSubmit add to what the model hears', async () => {
    const stage = await hooked(['SessionStart', 'UserPromptSubmit'])
    stage.user('Hi')
    const start = await answerHook(stage, 1, { hookSpecificOutput: { additionalContext: 'It is Monday.' } })
    expect(start['input']).toMatchObject({
      hook_event_name: 'SessionStart',
      source: 'startup',
      model: 'scripted',
    })
    const prompt = await answerHook(stage, 2, { hookSpecificOutput: { additionalContext: 'It rains.' } })
    expect(prompt['input']).toMatchObject({ hook_event_name: 'UserPromptSubmit', prompt: 'Hi' })
    await stage.result()
    expect(stage.chat().heard[0]?.content).toEqual([
      { type: 'text', text: 'Hi' },
      { type: 'text', text: 'It is Monday.' },
      { type: 'text', text: 'It rains.' },
    ])
    stage.user('Again')
    expect((await answerHook(stage, 3, {}))['input']).toMatchObject({ hook_event_name: 'UserPromptSubmit' })
    await stage.result(2)
  })

  test('what SessionStart adds waits for the first message that goes to the model', async () => {
    const stage = await hooked(['SessionStart'])
    stage.user('/help')
    await answerHook(stage, 1, { hookSpecificOutput: { additionalContext: 'It is Monday.' } })
    await stage.result()
    stage.user('Hi')
    await stage.result(2)
    expect(
      stage
        .chat()
        .messages.slice(-2)
        .map(({ content }) => content),
    ).toEqual(['It is Monday.', 'Hi'])
  })

  test('UserPromptSubmit may refuse a message', async () => {
    const stage = await hooked(['UserPromptSubmit'])
    stage.user('Hi')
    await answerHook(stage, 1, { decision: 'block', reason: 'No.' })
    expect(await stage.result()).toMatchObject({ subtype: 'success', result: 'No.', num_turns: 0 })
    expect(stage.chat().heard).toEqual([])
  })

  test('Stop may keep the model at work', async () => {
    const stage = await hooked(['Stop'], { turns: [says('Done?'), says('Done.')] })
    stage.user('Hi')
    const first = await answerHook(stage, 1, { decision: 'block', reason: 'Test it.' })
    expect(first['input']).toMatchObject({ stop_hook_active: false, last_assistant_message: 'Done?' })
    const second = await answerHook(stage, 2, {})
    expect(second['input']).toMatchObject({ stop_hook_active: true })
    expect(await stage.result()).toMatchObject({ result: 'Done.', num_turns: 2 })
    expect(stage.chat().heard[1]?.content).toBe('Test it.')
  })

  test('frames tell of hooks when they are wanted, and people hear their messages', async () => {
    const stage = await hooked(['UserPromptSubmit'], { config: { includeHookEvents: true } })
    stage.user('Hi')
    await answerHook(stage, 1, { systemMessage: 'Heard you.' })
    await stage.result()
    expect(
      stage.frames.filter(({ subtype }) => ['hook_started', 'hook_response'].includes(subtype as string)),
    ).toMatchObject([
      { subtype: 'hook_started', hook_event: 'UserPromptSubmit' },
      { subtype: 'hook_response', outcome: 'success', output: '{"systemMessage":"Heard you."}' },
    ])
    expect(stage.notes).toEqual(['hook UserPromptSubmit: Heard you.'])
    stage.check({ cut: true })
  })
})
