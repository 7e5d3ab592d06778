import type { ChatPermissionAnswer } from '@tutti/agents/chat'
import type { JsonObject } from '@tutti/protocol'
import { describe, expect, test } from 'vitest'
import { stageOpener } from '../support/open-stage.ts'
import { says, uses, type ScriptedTurn } from '../support/scripted-chat.ts'
import { type Frame, type SessionStageOptions } from '../support/session-stage.ts'
import { script } from '../workflow/support/desk-stage.ts'

const open = stageOpener()
const source = script('return 1', 'demo', "phases: [{ title: 'Look' }]")
const launch = uses('Workflow', { script: source })
const stdio = { permissionPromptTool: 'stdio' }

/** Asks about a tool and ends with the answer. */
function asks(answers: (ChatPermissionAnswer | 'nobody')[], command = 'ls'): ScriptedTurn {
  return async (_message, { permission, signal }) => {
    const question = {
      toolName: 'Bash',
      toolUseId: 'toolu_1',
      input: { command },
      reason: 'no rule allows it',
      signal,
    }
    answers.push(permission === undefined ? 'nobody' : await permission(question))
    return {}
  }
}

function requestOf(frame: Frame): JsonObject {
  return frame['request'] as JsonObject
}

describe('questions about tools', () => {
  test.each<[string, JsonObject, ChatPermissionAnswer]>([
    ['allow', { behavior: 'allow', toolUseID: 'toolu_1' }, { allowed: true }],
    [
      'allow with another input',
      { behavior: 'allow', updatedInput: { command: 'pwd' } },
      { allowed: true, updatedInput: { command: 'pwd' } },
    ],
    ['deny', { behavior: 'deny', message: 'No.' }, { allowed: false, reason: 'No.' }],
    [
      'deny and interrupt',
      { behavior: 'deny', message: 'No.', interrupt: true },
      { allowed: false, reason: 'No.', interrupt: true },
    ],
    ['allowed', { allowed: true, tool_use_id: 'toolu_1' }, { allowed: true }],
    [
      'allowed with another input',
      { allowed: true, updatedInput: { command: 'pwd' } },
      { allowed: true, updatedInput: { command: 'pwd' } },
    ],
    ['not allowed', { allowed: false, reason: 'No.' }, { allowed: false, reason: 'No.' }],
    [
      'neither',
      { answer: 'yes' },
      { allowed: false, reason: 'the answer to can_use_tool says neither allow nor deny' },
    ],
  ])('the host may answer: %s', async (_name, response, expected) => {
    const answers: (ChatPermissionAnswer | 'nobody')[] = []
    const stage = open({ config: stdio, turns: [asks(answers)] })
    stage.user('Go')
    const question = await stage.question('can_use_tool')
    expect(requestOf(question)).toMatchObject({
      tool_name: 'Bash',
      input: { command: 'ls' },
      tool_use_id: 'toolu_1',
      decision_reason: 'no rule allows it',
      permission_suggestions: [
        { type: 'addRules', rules: [{ toolName: 'Bash', ruleContent: 'ls' }], behavior: 'allow' },
      ],
    })
    stage.reply(question['request_id'], response)
    await stage.result()
    expect(answers).toEqual([expected])
  })

  test('an input that comes back as it was shown is unchanged, whatever was taken out of it', async () => {
    const answers: (ChatPermissionAnswer | 'nobody')[] = []
    const stage = open({
      config: stdio,
      options: { env: { A_TOKEN: 'ls-is-secret-1' } },
      turns: [asks(answers, 'ls-is-secret-1')],
    })
    stage.user('Go')
    const question = await stage.question('can_use_tool')
    expect(requestOf(question)).toMatchObject({ input: { command: '[redacted]' } })
    stage.reply(question['request_id'], {
      behavior: 'allow',
      updatedInput: requestOf(question)['input'] ?? {},
    })
    await stage.result()
    expect(answers).toEqual([{ allowed: true }])
  })

  test('an error of the host denies', async () => {
    const answers: (ChatPermissionAnswer | 'nobody')[] = []
    const stage = open({ config: stdio, turns: [asks(answers)] })
    stage.user('Go')
    const { request_id: id } = await stage.question('can_use_tool')
    stage.send({
      type: 'control_response',
      response: { subtype: 'error', request_id: id ?? '', error: 'canUseTool callback is not provided.' },
    })
    await stage.result()
    expect(answers).toEqual([
      { allowed: false, reason: 'nobody allowed it: canUseTool callback is not provided.' },
    ])
  })

  test.each<[string, SessionStageOptions]>([
    ['the host is not said to answer', {}],
    ['there is no host', { deaf: true, prompts: ['Go'], config: { ...stdio, print: true } }],
  ])('nobody is asked when %s', async (_name, options) => {
    const answers: (ChatPermissionAnswer | 'nobody')[] = []
    const stage = open({ ...options, turns: [asks(answers)] })
    if (options.deaf !== true) stage.user('Go')
    await stage.result()
    expect(answers).toEqual(['nobody'])
  })

  test('the second client family is asked without a flag', async () => {
    const answers: (ChatPermissionAnswer | 'nobody')[] = []
    const stage = open({ turns: [asks(answers)] })
    await stage.ask({ subtype: 'initialize', hasPrompt: true })
    stage.user('Go')
    stage.reply((await stage.question('can_use_tool'))['request_id'], { allowed: true })
    await stage.result()
    expect(answers).toEqual([{ allowed: true }])
  })

  test('an open question is denied when the host leaves', async () => {
    const answers: (ChatPermissionAnswer | 'nobody')[] = []
    const stage = open({ config: stdio, turns: [asks(answers)] })
    stage.user('Go')
    await stage.question('can_use_tool')
    stage.endInput()
    await stage.session.done
    expect(answers).toMatchObject([
      { allowed: false, reason: expect.stringContaining('closed its input') as string },
    ])
    expect(stage.order()).not.toContain('control_cancel_request')
  })

  test('an interrupt withdraws it', async () => {
    const answers: (ChatPermissionAnswer | 'nobody')[] = []
    const stage = open({ config: stdio, turns: [asks(answers)] })
    stage.user('Go')
    const { request_id: id } = await stage.question('can_use_tool')
    await stage.ask({ subtype: 'interrupt' })
    expect(await stage.frame(({ type }) => type === 'control_cancel_request')).toMatchObject({
      request_id: id,
    })
    await stage.result()
    stage.reply(id, { behavior: 'allow' })
    expect(answers).toMatchObject([{ allowed: false }])
    expect(await stage.ask({ subtype: 'mcp_status' })).toMatchObject({ subtype: 'success' })
  })

  test('PermissionRequest may answer in the place of the host', async () => {
    const answers: (ChatPermissionAnswer | 'nobody')[] = []
    const stage = open({ config: stdio, turns: [asks(answers)] })
    await stage.ask({
      subtype: 'initialize',
      hooks: { PermissionRequest: [{ matcher: 'Bash', hookCallbackIds: ['h'] }] },
    })
    stage.user('Go')
    stage.reply((await stage.question('hook_callback'))['request_id'], {
      hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } },
    })
    await stage.result()
    expect(answers).toEqual([{ allowed: true }])
    expect(stage.order()).not.toContain('control_request/can_use_tool')
  })
})

describe('questions about workflows', () => {
  test('a launch is asked about with its phases, and may be allowed', async () => {
    const stage = open({ config: stdio, turns: [launch] })
    stage.user('Go')
    const question = await stage.question('can_use_tool')
    expect(requestOf(question)).toMatchObject({
      tool_name: 'Workflow',
      input: { script: source },
      workflow_name: 'demo',
      description: 'About demo',
      phases: ['Look'],
    })
    stage.reply(question['request_id'], { behavior: 'allow' })
    await stage.frame(({ subtype }) => subtype === 'task_started')
    await stage.result()
    stage.check({ cut: true })
  })

  test('a launch may be denied', async () => {
    const stage = open({ config: stdio, turns: [launch] })
    stage.user('Go')
    stage.reply((await stage.question('can_use_tool'))['request_id'], {
      behavior: 'deny',
      message: 'Too costly.',
    })
    await stage.result()
    expect(JSON.stringify(stage.frames)).toContain('Too costly.')
    expect(stage.order()).not.toContain('system/task_started')
  })

  test('an answer may allow it for good', async () => {
    const stage = open({ config: stdio, turns: [launch, says('It ended.'), launch] })
    stage.user('Go')
    const question = await stage.question('can_use_tool')
    const [rule] = requestOf(question)['permission_suggestions'] as JsonObject[]
    stage.reply(question['request_id'], { behavior: 'allow', updatedPermissions: [rule ?? {}] })
    await stage.result(2)
    stage.user('Again')
    await stage.result(3)
    expect(stage.order().filter(kind => kind === 'control_request/can_use_tool')).toHaveLength(1)
    expect(stage.order().filter(kind => kind === 'system/task_started')).toHaveLength(2)
  })

  test('an agent that asks is answered by the host', async () => {
    const stage = open({ config: stdio, turns: [launch] })
    await stage.ask({ subtype: 'initialize' })
    const answer = stage.host().agentPermission?.({
      runId: 'wf_00000001-abc',
      taskId: 'w00000001',
      workflowToolUseId: 'toolu_1',
      agent: { index: 3, label: 'look' },
      toolName: 'Bash',
      input: { command: 'ls' },
      signal: new AbortController().signal,
    })
    const question = await stage.question('can_use_tool')
    expect(requestOf(question)).toMatchObject({
      tool_name: 'Bash',
      agent: { index: 3, label: 'look' },
      task_id: 'w00000001',
    })
    stage.reply(question['request_id'], { behavior: 'deny', message: 'No.' })
    expect(await answer).toEqual({ allowed: false, reason: 'No.' })
    stage.endInput()
    await stage.session.done
    const late = await stage.host().agentPermission?.({
      runId: 'wf_00000001-abc',
      agent: { index: 3, label: 'look' },
      toolName: 'Bash',
      input: {},
      signal: new AbortController().signal,
    })
    expect(late).toEqual({ allowed: false, reason: 'nobody is there to ask', source: 'nobody' })
  })
})
