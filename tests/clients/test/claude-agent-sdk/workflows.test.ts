import { until } from '@tutti-internal/e2e/installed/until'
import { describe, expect, it } from 'vitest'
import {
  all,
  CLAUDE_RULES,
  CLAUDE_SDKS,
  CLOSED_RULES,
  claudeOptions,
  Talk,
} from '../support/claude-client.ts'
import {
  blocks,
  isNotification,
  isResult,
  isSystem,
  kindsOf,
  lastRows,
  notified,
  results,
  startedIds,
} from '../support/frames.ts'
import { hangs, says, toolsOf, uses, type Line } from '../support/model-script.ts'
import { FAILING, FAN_OUT, RESEARCH } from '../support/scripts.ts'
import { createSurroundings } from '../support/surroundings.ts'

const NEWS: Line = [/<task-notification>/, says('The workflow has ended.')]
const WORK: Line = [/Look into|Work on/, says('Found something.')]
const workflows = { 'deep-research': RESEARCH, failing: FAILING, 'fan-out': FAN_OUT }

describe.concurrent.each(CLAUDE_SDKS)('@anthropic-ai/claude-agent-sdk $version', ({ sdk }) => {
  it('follows a workflow to its end after a string prompt, which closes the input at the first result', async () => {
    await using here = await createSurroundings({ model: [NEWS, WORK], workflows })
    const options = claudeOptions(here)
    const messages = await all(sdk.query({ prompt: '/deep-research topic=herons', options }))
    const [id] = startedIds(messages)
    expect(notified(messages)).toEqual({ [id!]: 'completed' })
    expect(lastRows(messages).map(({ label, state }) => [label, state])).toEqual([
      ['first', 'done'],
      ['second', 'done'],
    ])
    expect(results(messages)).toHaveLength(2)
    expect(results(messages).at(-1)).toMatchObject({
      result: 'The workflow has ended.',
      origin: { kind: 'task-notification' },
    })
    expect(messages.find(isSystem('task_started'))).toMatchObject({
      workflow_name: 'deep-research',
      task_type: 'local_workflow',
      prompt: RESEARCH,
    })
    const [launch] = blocks(messages, 'tool_use')
    expect(launch).toMatchObject({ name: 'Workflow' })
    expect(messages.find(isSystem('task_started'))?.['tool_use_id']).toBe(launch?.['id'])
    expect(await here.program.exits()).toEqual([0])
    expect(here.program.problems(CLAUDE_RULES)).toBe('')
  })

  it('follows a workflow to its end over an open input, and is then told by a turn of its own', async () => {
    await using here = await createSurroundings({ model: [NEWS, WORK], workflows })
    await using talk = new Talk(sdk, claudeOptions(here))
    talk.say('/deep-research {"topic":"herons"}')
    await talk.until('the result of the launch', isResult)
    await talk.until('the notification', isNotification)
    expect(await talk.until('the turn about it', isResult)).toMatchObject({
      result: 'The workflow has ended.',
      origin: { kind: 'task-notification' },
    })
    await talk.end()
    expect(kindsOf(talk.seen).filter(kind => kind === 'result')).toHaveLength(2)
    expect(await here.program.exits()).toEqual([0])
    expect(here.program.problems(CLAUDE_RULES)).toBe('')
  })

  it('ends its input while a workflow runs, and hears of its end all the same', async () => {
    await using here = await createSurroundings({
      model: [NEWS, [/Look into/, { text: 'Found something.', delayMs: 500 }]],
      workflows,
    })
    await using talk = new Talk(sdk, claudeOptions(here))
    talk.say('/deep-research topic=herons')
    await talk.until('the result of the launch', isResult)
    await talk.end()
    expect(Object.values(notified(talk.seen))).toEqual(['completed'])
    expect(results(talk.seen)).toHaveLength(2)
    expect(await here.program.exits()).toEqual([0])
    expect(here.program.problems(CLAUDE_RULES)).toBe('')
  })

  it('sees a workflow that the model wrote, and its result', async () => {
    await using here = await createSurroundings({
      model: [
        NEWS,
        WORK,
        [/Ask four/, uses('Workflow', { script: FAN_OUT })],
        [/Workflow launched in background/, says('It runs.')],
      ],
    })
    const messages = await all(sdk.query({ prompt: 'Ask four of them', options: claudeOptions(here) }))
    expect(results(messages).map(({ result }) => result)).toEqual(['It runs.', 'The workflow has ended.'])
    expect(lastRows(messages)).toHaveLength(4)
    const notification = JSON.stringify(here.model.requests.at(-1)?.body)
    expect(notification).toContain('<status>completed</status>')
    expect(notification).toContain('Found something.')
    expect(here.program.problems(CLAUDE_RULES)).toBe('')
  })

  it('is told when a workflow fails', async () => {
    await using here = await createSurroundings({ model: [NEWS, WORK], workflows })
    const messages = await all(sdk.query({ prompt: '/failing', options: claudeOptions(here) }))
    expect(Object.values(notified(messages))).toEqual(['failed'])
    expect(messages.find(isNotification)?.['summary']).toContain('the plan does not hold')
    expect(messages.filter(isSystem('task_updated')).at(-1)).toMatchObject({ patch: { status: 'failed' } })
    expect(results(messages).at(-1)).toMatchObject({ result: 'The workflow has ended.' })
    expect(await here.program.exits()).toEqual([0])
    expect(here.program.problems(CLAUDE_RULES)).toBe('')
  })

  it('follows two workflows at once', async () => {
    const both = {
      toolCalls: [
        { name: 'Workflow', input: { name: 'deep-research', args: { topic: 'herons' } } },
        { name: 'Workflow', input: { name: 'fan-out' } },
      ],
    }
    await using here = await createSurroundings({
      model: [NEWS, WORK, [/Start both/, both], [/Workflow launched in background/, says('Both run.')]],
      workflows,
    })
    const messages = await all(sdk.query({ prompt: 'Start both', options: claudeOptions(here) }))
    const ids = startedIds(messages)
    expect(new Set(ids).size).toBe(2)
    expect(notified(messages)).toEqual({ [ids[0]!]: 'completed', [ids[1]!]: 'completed' })
    expect(ids.map(id => lastRows(messages, id).length).sort((a, b) => a - b)).toEqual([2, 4])
    expect(await here.program.exits()).toEqual([0])
    expect(here.program.problems(CLOSED_RULES)).toBe('')
  })

  it('interrupts in the middle of a fan-out: every agent ends, and the session goes on', async () => {
    await using here = await createSurroundings({
      model: [[/Work on/, hangs()], [/Still there/, says('Yes.')], NEWS],
      workflows,
    })
    await using talk = new Talk(sdk, claudeOptions(here))
    talk.say('/fan-out')
    await talk.until('the result of the launch', isResult)
    await talk.untilSeen('four agents at work', seen => {
      const rows = lastRows(seen)
      return rows.length === 4 && rows.every(({ state, startedAt }) => state === 'start' && startedAt)
    })
    await until('four requests', () => here.model.requests.length === 4)
    const before = Date.now()
    await talk.query.interrupt()
    await talk.until('the notification', isNotification)
    expect(Date.now() - before).toBeLessThan(5_000)
    expect(Object.values(notified(talk.seen))).toEqual(['stopped'])
    expect(talk.seen.filter(isSystem('task_updated')).at(-1)).toMatchObject({ patch: { status: 'killed' } })
    expect(lastRows(talk.seen).map(({ state }) => state)).toEqual(['error', 'error', 'error', 'error'])
    talk.say('Still there?')
    await talk.until('the answer', frame => isResult(frame) && frame['result'] === 'Yes.')
    await talk.end()
    expect(await Promise.all(here.model.requests.slice(0, 4).map(({ ended }) => ended))).toEqual(
      Array.from({ length: 4 }, () => 'closed by client'),
    )
    expect(await here.program.exits()).toEqual([0])
    expect(here.program.problems(CLAUDE_RULES)).toBe('')
  })

  it('stops one task of two', async () => {
    await using here = await createSurroundings({
      model: [
        NEWS,
        [/Look into/, { text: 'Found something.', delayMs: 800 }],
        [/Work on/, hangs()],
        [
          /Start both/,
          {
            toolCalls: [
              { name: 'Workflow', input: { name: 'fan-out' } },
              { name: 'Workflow', input: { name: 'deep-research', args: { topic: 'herons' } } },
            ],
          },
        ],
        [/Workflow launched in background/, says('Both run.')],
      ],
      workflows,
    })
    await using talk = new Talk(sdk, claudeOptions(here))
    talk.say('Start both')
    await talk.until('the result of the launch', isResult)
    const hanging = talk.seen.find(
      frame => isSystem('task_started')(frame) && frame['workflow_name'] === 'fan-out',
    )
    const id = String(hanging?.['task_id'])
    await talk.query.stopTask(id)
    await talk.untilSeen('both ends', seen => Object.keys(notified(seen)).length === 2)
    await talk.query.stopTask(id)
    await talk.end()
    expect(notified(talk.seen)[id]).toBe('stopped')
    expect(Object.values(notified(talk.seen))).toEqual(expect.arrayContaining(['completed', 'stopped']))
    expect(await here.program.exits()).toEqual([0])
    expect(here.program.problems(CLAUDE_RULES)).toBe('')
  })

  it.each([
    ['the environment', { TUTTI_DISABLE_WORKFLOWS: '1' }, undefined],
    ['the environment of another product', { CLAUDE_CODE_DISABLE_WORKFLOWS: '1' }, undefined],
    ['the settings', {}, '{"disableWorkflows":true}'],
  ])('knows no workflows when %s switches them off', async (_, env: Record<string, string>, settings) => {
    await using here = await createSurroundings({
      model: [[/./, says('I know no such command.')]],
      workflows,
      files: settings === undefined ? {} : { '.claude/settings.json': settings },
      env,
    })
    await using talk = new Talk(sdk, claudeOptions(here))
    talk.say('/deep-research topic=herons')
    await talk.until('the result', isResult)
    const commands = (await talk.query.supportedCommands()).map(({ name }) => name)
    await talk.end()
    expect(commands).not.toContain('deep-research')
    expect(talk.seen[0]?.['tools']).not.toContain('Workflow')
    expect(talk.seen[0]?.['slash_commands']).not.toContain('deep-research')
    expect(kindsOf(talk.seen).filter(kind => kind.startsWith('task_'))).toEqual([])
    for (const request of here.model.requests) expect(toolsOf(request)).not.toContain('Workflow')
    expect(here.program.problems(CLAUDE_RULES)).toBe('')
  })
})
