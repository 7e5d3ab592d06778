import type { CanUseTool, HookCallback, PermissionResult } from '@tencent-ai/agent-sdk'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { isNotification, isResult, kindsOf, lastRows, notified, results } from '../support/frames.ts'
import { lastMessage, says, uses, type Line } from '../support/model-script.ts'
import { FAILING, FAN_OUT, RESEARCH } from '../support/scripts.ts'
import { createSurroundings } from '../support/surroundings.ts'
import { heard, QUERY_RULES, tencentOptions, tencentSdk } from '../support/tencent-client.ts'

const { query, tool, createSdkMcpServer } = tencentSdk
const TOUCH = { command: 'touch made-by-bash', description: 'Makes a file' }
const NEWS: Line = [/<task-notification>/, says('The workflow has ended.')]
const WORK: Line = [/Look into|Work on/, says('Found something.')]
const workflows = { 'deep-research': RESEARCH, failing: FAILING, 'fan-out': FAN_OUT }

describe.concurrent('query() of @tencent-ai/agent-sdk', () => {
  it('gets the answer to a string prompt', async () => {
    await using here = await createSurroundings({ model: [[/What is two/, says('It is four.')]] })
    const frames = await heard(query({ prompt: 'What is two and two?', options: tencentOptions(here) }))
    expect(kindsOf(frames)).toEqual(['init', 'assistant', 'result'])
    expect(frames.at(-1)).toMatchObject({ subtype: 'success', is_error: false, result: 'It is four.' })
    await here.program.exits()
    expect(here.program.problems(QUERY_RULES)).toBe('')
  })

  it('sees pieces of an answer', async () => {
    await using here = await createSurroundings({ model: [[/./, says('A rather long answer.')]] })
    const options = tencentOptions(here, { includePartialMessages: true })
    const frames = await heard(query({ prompt: 'Go', options }))
    const texts = frames
      .filter(({ type }) => type === 'stream_event')
      .map(({ event }) => (event as { delta?: { text?: string } }).delta?.text ?? '')
    expect(texts.join('')).toBe('A rather long answer.')
    await here.program.exits()
    expect(here.program.problems(QUERY_RULES)).toBe('')
  })

  it('asks what there is', async () => {
    await using here = await createSurroundings({ model: [[/./, says('Yes.')]], workflows })
    const asked = query({ prompt: 'Go', options: tencentOptions(here) })
    const commands = await asked.supportedCommands()
    expect(commands.map(({ name }) => name)).toContain('deep-research')
    expect(await asked.supportedModels()).not.toEqual([])
    expect(JSON.stringify(await asked.accountInfo())).not.toContain('key-of-the-test')
    const frames = await heard(asked)
    expect(results(frames)).toMatchObject([{ result: 'Yes.' }])
    await here.program.exits()
    expect(here.program.problems(QUERY_RULES)).toBe('')
  })

  async function ruled(
    ruling: PermissionResult,
  ): Promise<{ files: string[]; names: string[]; told: string }> {
    await using here = await createSurroundings({
      model: [
        [/Make a file/, uses('Bash', TOUCH)],
        [/./, says('So be it.')],
      ],
    })
    const names: string[] = []
    const canUseTool: CanUseTool = async name => {
      names.push(name)
      return ruling
    }
    const options = tencentOptions(here, { permissionMode: 'default', canUseTool })
    const frames = await heard(query({ prompt: 'Make a file', options }))
    expect(results(frames)).toMatchObject([{ result: 'So be it.' }])
    await here.program.exits()
    expect(here.program.problems(QUERY_RULES)).toBe('')
    return { files: here.project.list(), names, told: lastMessage(here.model.requests.at(-1)!) }
  }

  it('allows a tool without a flag that says so', async () => {
    const { files, names } = await ruled({ behavior: 'allow', updatedInput: TOUCH })
    expect(names).toEqual(['Bash'])
    expect(files).toContain('made-by-bash')
  })

  it('denies a tool', async () => {
    const { files, told } = await ruled({ behavior: 'deny', message: 'not on my machine' })
    expect(files).not.toContain('made-by-bash')
    expect(told).toContain('not on my machine')
  })

  it('runs hooks and lends a tool of its own process', async () => {
    await using here = await createSurroundings({
      model: [
        [/How warm/, uses('mcp__weather__temperature', { place: 'Oslo' })],
        [/12 degrees/, says('It is 12 degrees.')],
      ],
    })
    const told: string[] = []
    const temperature = tool('temperature', 'Tells how warm it is', { place: z.string() }, async input => {
      told.push(`tool ${String((input as { place: unknown }).place)}`)
      return { content: [{ type: 'text', text: '12 degrees' }] }
    })
    const before: HookCallback = async input => {
      told.push(`hook ${(input as { tool_name?: string }).tool_name}`)
      return {}
    }
    const options = tencentOptions(here, {
      mcpServers: { weather: createSdkMcpServer({ name: 'weather', tools: [temperature] }) },
      hooks: { PreToolUse: [{ hooks: [before] }] },
    })
    const frames = await heard(query({ prompt: 'How warm is it in Oslo?', options }))
    expect(results(frames)).toMatchObject([{ result: 'It is 12 degrees.' }])
    expect(told).toEqual(['hook mcp__weather__temperature', 'tool Oslo'])
    await here.program.exits()
    expect(here.program.problems(QUERY_RULES)).toBe('')
  })

  it.each([
    ['completed', '/deep-research topic=herons'],
    ['failed', '/failing'],
  ])('holds the result until a workflow has %s, and hears all of it', async (status, prompt) => {
    await using here = await createSurroundings({ model: [NEWS, WORK], workflows })
    const frames = await heard(query({ prompt, options: tencentOptions(here) }))
    expect(Object.values(notified(frames))).toEqual([status])
    expect(frames.findIndex(isNotification)).toBeLessThan(frames.findIndex(isResult))
    expect(results(frames)).toMatchObject([{ subtype: 'success', result: 'The workflow has ended.' }])
    await here.program.exits()
    expect(here.program.problems(QUERY_RULES)).toBe('')
  })

  it('hears of two workflows at once', async () => {
    const both = [
      { name: 'Workflow', input: { name: 'deep-research', args: { topic: 'herons' } } },
      { name: 'Workflow', input: { name: 'fan-out' } },
    ]
    await using here = await createSurroundings({
      model: [
        NEWS,
        WORK,
        [/Start both/, { toolCalls: both }],
        [/Workflow launched in background/, says('Both run.')],
      ],
      workflows,
    })
    const frames = await heard(query({ prompt: 'Start both', options: tencentOptions(here) }))
    expect(Object.values(notified(frames))).toEqual(['completed', 'completed'])
    expect(lastRows(frames).length).toBeGreaterThan(0)
    expect(results(frames)).toHaveLength(1)
    await here.program.exits()
    expect(here.program.problems(QUERY_RULES)).toBe('')
  })

  it.each(['CODEBUDDY_DISABLE_WORKFLOWS', 'TUTTI_DISABLE_WORKFLOWS'])(
    'knows no workflows under %s',
    async name => {
      await using here = await createSurroundings({
        model: [[/./, says('I know no such command.')]],
        workflows,
        env: { [name]: '1' },
      })
      const frames = await heard(query({ prompt: '/deep-research x', options: tencentOptions(here) }))
      expect(kindsOf(frames)).toEqual(['init', 'assistant', 'result'])
      expect(frames[0]?.['tools']).not.toContain('Workflow')
      await here.program.exits()
      expect(here.program.problems(QUERY_RULES)).toBe('')
    },
  )
})
