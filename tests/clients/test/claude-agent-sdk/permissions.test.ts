import type { CanUseTool, HookCallback, PermissionResult } from 'claude-agent-sdk-332'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { all, CLAUDE_RULES, CLAUDE_SDKS, claudeOptions, Talk } from '../support/claude-client.ts'
import { blocks, isResult, results } from '../support/frames.ts'
import { lastMessage, says, toolsOf, uses } from '../support/model-script.ts'
import { FAN_OUT } from '../support/scripts.ts'
import { createSurroundings } from '../support/surroundings.ts'

const TOUCH = { command: 'touch made-by-bash', description: 'Makes a file' }

describe.concurrent.each(CLAUDE_SDKS)('@anthropic-ai/claude-agent-sdk $version', ({ sdk }) => {
  /** A session in mode `default`, whose host rules as told. */
  async function ruled(ruling: PermissionResult): Promise<{
    asked: [string, Record<string, unknown>][]
    result: Record<string, unknown> | undefined
    files: string[]
    toolResult: Record<string, unknown> | undefined
    heard: string
    problems: string
  }> {
    await using here = await createSurroundings({
      model: [
        [/Make a file/, uses('Bash', TOUCH)],
        [/./, says('So be it.')],
      ],
    })
    const asked: [string, Record<string, unknown>][] = []
    const canUseTool: CanUseTool = async (name, input) => {
      asked.push([name, input])
      return ruling
    }
    const options = claudeOptions(here, { permissionMode: 'default', canUseTool })
    await using talk = new Talk(sdk, options)
    talk.say('Make a file')
    await talk.until('the result', isResult)
    await talk.end()
    return {
      asked,
      result: results(talk.seen)[0],
      files: here.project.list(),
      toolResult: blocks(talk.seen, 'tool_result')[0],
      heard: lastMessage(here.model.requests.at(-1)!),
      problems: here.program.problems(CLAUDE_RULES),
    }
  }

  it('allows a tool, which is then used', async () => {
    const { asked, files, result, problems } = await ruled({ behavior: 'allow', updatedInput: TOUCH })
    expect(asked).toEqual([['Bash', expect.objectContaining({ command: TOUCH.command })]])
    expect(files).toContain('made-by-bash')
    expect(result).toMatchObject({ subtype: 'success', result: 'So be it.', permission_denials: [] })
    expect(problems).toBe('')
  })

  it('allows a tool with another input', async () => {
    const updatedInput = { ...TOUCH, command: 'touch made-otherwise' }
    const { files, problems } = await ruled({ behavior: 'allow', updatedInput })
    expect(files).toContain('made-otherwise')
    expect(files).not.toContain('made-by-bash')
    expect(problems).toBe('')
  })

  it('denies a tool, which the model and the result are told', async () => {
    const { files, result, toolResult, heard, problems } = await ruled({
      behavior: 'deny',
      message: 'not on my machine',
    })
    expect(files).not.toContain('made-by-bash')
    expect(toolResult).toMatchObject({ is_error: true })
    expect(heard).toContain('not on my machine')
    expect(result).toMatchObject({
      subtype: 'success',
      permission_denials: [{ tool_name: 'Bash', tool_input: expect.objectContaining(TOUCH) }],
    })
    expect(problems).toBe('')
  })

  it('denies a tool and interrupts the turn', async () => {
    const { files, result, problems } = await ruled({ behavior: 'deny', message: 'stop', interrupt: true })
    expect(files).not.toContain('made-by-bash')
    expect(result).toMatchObject({ type: 'result' })
    expect(result?.['result']).not.toBe('So be it.')
    expect(problems).toBe('')
  })

  it('runs hooks before and after a tool; the first may deny it', async () => {
    await using here = await createSurroundings({
      model: [
        [/Make a file/, uses('Bash', TOUCH)],
        [/no files today/, uses('Bash', { command: 'echo spoken' })],
        [/spoken/, says('Done.')],
      ],
    })
    const heard: string[] = []
    const before: HookCallback = async input => {
      if (input.hook_event_name !== 'PreToolUse') return {}
      const { command } = input.tool_input as { command: string }
      heard.push(`before ${command}`)
      const denied = command.startsWith('touch')
      return {
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: denied ? 'deny' : 'allow',
          permissionDecisionReason: denied ? 'no files today' : 'harmless',
        },
      }
    }
    const after: HookCallback = async input => {
      if (input.hook_event_name === 'PostToolUse') heard.push(`after ${input.tool_name}`)
      return {}
    }
    const options = claudeOptions(here, {
      permissionMode: 'default',
      hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [before] }], PostToolUse: [{ hooks: [after] }] },
    })
    await using talk = new Talk(sdk, options)
    talk.say('Make a file')
    expect(await talk.until('the result', isResult)).toMatchObject({ result: 'Done.' })
    await talk.end()
    expect(heard).toEqual(['before touch made-by-bash', 'before echo spoken', 'after Bash'])
    expect(here.project.list()).not.toContain('made-by-bash')
    expect(here.program.problems(CLAUDE_RULES)).toBe('')
  })

  it('lends a tool of its own process', async () => {
    await using here = await createSurroundings({
      model: [
        [/How warm/, uses('mcp__weather__temperature', { place: 'Oslo' })],
        [/12 degrees/, says('It is 12 degrees.')],
      ],
    })
    const places: string[] = []
    const temperature = sdk.tool(
      'temperature',
      'Tells how warm it is',
      { place: z.string() },
      async input => {
        places.push(input.place)
        return { content: [{ type: 'text', text: '12 degrees' }] }
      },
    )
    const weather = sdk.createSdkMcpServer({ name: 'weather', tools: [temperature] })
    await using talk = new Talk(sdk, claudeOptions(here, { mcpServers: { weather } }))
    talk.say('How warm is it in Oslo?')
    expect(await talk.until('the result', isResult)).toMatchObject({ result: 'It is 12 degrees.' })
    expect(await talk.query.mcpServerStatus()).toMatchObject([{ name: 'weather', status: 'connected' }])
    await talk.end()
    expect(places).toEqual(['Oslo'])
    expect(toolsOf(here.model.requests[0]!)).toContain('mcp__weather__temperature')
    expect(talk.seen[0]).toMatchObject({ mcp_servers: [{ name: 'weather', status: 'connected' }] })
    expect(here.program.problems(CLAUDE_RULES)).toBe('')
  })

  it('is asked before a workflow is launched, and may refuse', async () => {
    await using here = await createSurroundings({
      model: [
        [/Fan out/, uses('Workflow', { script: FAN_OUT })],
        [/./, says('As you wish.')],
      ],
    })
    const asked: string[] = []
    const canUseTool: CanUseTool = async name => {
      asked.push(name)
      return { behavior: 'deny', message: 'not now' }
    }
    await using talk = new Talk(sdk, claudeOptions(here, { permissionMode: 'default', canUseTool }))
    talk.say('Fan out')
    await talk.until('the result', isResult)
    await talk.end()
    expect(asked).toEqual(['Workflow'])
    expect(JSON.stringify(talk.seen)).not.toContain('task_started')
    expect(lastMessage(here.model.requests.at(-1)!)).toContain('not now')
    expect(here.program.problems(CLAUDE_RULES)).toBe('')
  })

  it('without a host that rules, a string prompt in mode default denies what the rules leave open', async () => {
    await using here = await createSurroundings({
      model: [
        [/Make a file/, uses('Bash', TOUCH)],
        [/./, says('I may not.')],
      ],
    })
    const options = claudeOptions(here, { permissionMode: 'default' })
    const messages = await all(sdk.query({ prompt: 'Make a file', options }))
    expect(messages.at(-1)).toMatchObject({
      result: 'I may not.',
      permission_denials: [{ tool_name: 'Bash' }],
    })
    expect(here.project.list()).not.toContain('made-by-bash')
    expect(here.program.problems(CLAUDE_RULES)).toBe('')
  })
})
