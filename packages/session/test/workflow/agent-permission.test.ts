import type { PermissionAnswer } from '@tutti/runtime'
import { createVirtualClock } from '@tutti/runtime/testing'
import { describe, expect, it } from 'vitest'
import { createAgentPermission } from '../../src/workflow/agent-permission.ts'
import type { AgentPermissionQuestion, DeskHost } from '../../src/workflow/types.ts'
import { script } from './support/desk-stage.ts'
import { deskStages } from './support/stages.ts'

const stages = deskStages()

const BASE: DeskHost = {
  sessionId: '00000000-0000-4000-8000-000000000000',
  write: () => {},
  ended: () => {},
  permissionMode: () => 'default',
}

const ASKER = { runId: 'wf_00000000-000', index: 3, label: 'writer' }
const QUESTION = { tool: 'Bash', input: { command: 'rm x' }, why: 'no rule allows it' }

function asking(agentPermission: DeskHost['agentPermission'], askMs = 1000) {
  const clock = createVirtualClock()
  const ask = createAgentPermission({
    host: { ...BASE, agentPermission },
    clock,
    askMs,
    byRun: () => undefined,
  })
  return { ask, clock }
}

describe('what an agent is not allowed by a rule', () => {
  it('is asked of the host, which is told who asks and why', async () => {
    const seen: AgentPermissionQuestion[] = []
    const { ask, clock } = asking(async question => {
      seen.push(question)
      return { allowed: true, reason: 'go on' }
    })
    expect(await ask(QUESTION, ASKER)).toEqual({ allowed: true, reason: 'go on' })
    expect(seen).toEqual([
      {
        runId: ASKER.runId,
        agent: { index: 3, label: 'writer' },
        toolName: 'Bash',
        input: { command: 'rm x' },
        reason: 'no rule allows it',
        signal: expect.any(AbortSignal),
      },
    ])
    expect(clock.pending()).toBe(0)
  })

  it('is denied when no answer comes in time, and the question is withdrawn', async () => {
    let withdrawn = false
    const { ask, clock } = asking(({ signal }) => {
      signal.addEventListener('abort', () => (withdrawn = true))
      return new Promise(() => {})
    })
    const answer = ask(QUESTION, ASKER)
    await clock.advance(999)
    expect(withdrawn).toBe(false)
    await clock.advance(1)
    expect(await answer).toEqual({ allowed: false, source: 'time', reason: 'no answer within 1000 ms' })
    expect(withdrawn).toBe(true)
  })

  it('is denied when its agent is ended, also before it was asked', async () => {
    const { ask, clock } = asking(() => new Promise<PermissionAnswer>(() => {}))
    const agent = new AbortController()
    const answer = ask(QUESTION, { ...ASKER, signal: agent.signal })
    agent.abort()
    expect(await answer).toMatchObject({ allowed: false, source: 'nobody' })
    expect(await ask(QUESTION, { ...ASKER, signal: agent.signal })).toMatchObject({ allowed: false })
    expect(clock.pending()).toBe(0)
  })

  it('is denied at once when nobody is there any more', async () => {
    const { ask, clock } = asking(undefined)
    expect(await ask(QUESTION, ASKER)).toEqual({
      allowed: false,
      source: 'nobody',
      reason: 'no rule allows it; nobody is there to ask',
    })
    expect(clock.pending()).toBe(0)
  })

  it('is denied when the question fails', async () => {
    const { ask } = asking(async () => {
      throw new Error('the host is gone')
    })
    await expect(ask(QUESTION, ASKER)).rejects.toThrow('the host is gone')
  })
})

describe('the runtime of a run', () => {
  it('has the rules and the mode of the session at its launch, and asks nobody where nobody is there', async () => {
    let mode = 'default'
    let allow = ['Read']
    stages.open({
      host: { permissionMode: () => mode, permissionRules: () => ({ allow }) },
    })
    const source = script('return 1')
    await stages.last.launch({ script: source })
    await stages.last.launch({ script: source })
    mode = 'plan'
    await stages.last.launch({ script: source })
    allow = ['Read', 'Bash(ls:*)']
    await stages.last.launch({ script: source })
    await stages.last.finish()
    expect(stages.last.permissions).toEqual([
      { settings: { allow: ['Read'], defaultMode: 'default' } },
      { settings: { allow: ['Read'], defaultMode: 'plan' } },
      { settings: { allow: ['Read', 'Bash(ls:*)'], defaultMode: 'plan' } },
    ])
  })

  it('asks as soon as somebody is there', async () => {
    const present: Pick<DeskHost, 'agentPermission'> = {}
    stages.open({
      host: Object.defineProperty({}, 'agentPermission', { get: () => present.agentPermission }),
    })
    await stages.last.launch({ script: script('return 1') })
    present.agentPermission = async () => ({ allowed: true, reason: 'yes' })
    await stages.last.launch({ script: script('return 1') })
    await stages.last.finish()
    expect(stages.last.permissions.map(({ ask }) => ask !== undefined)).toEqual([false, true])
  })

  it('names the task of the agent that asks', async () => {
    const seen: AgentPermissionQuestion[] = []
    stages.open({
      host: {
        agentPermission: async question => {
          seen.push(question)
          return { allowed: false, reason: 'no' }
        },
      },
      executor: {
        backendOf: () => 'asking',
        capabilities: () => ({ schema: 'none', usage: 'none', maxTurns: false, isolation: false }),
        start: (call, context) => ({
          events: (async function* () {})(),
          result: (async () => {
            const answer = await context.permission?.({ tool: 'Bash', input: { command: call.prompt } })
            const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, toolUses: 0, durationMs: 0 }
            return { status: 'ok', value: answer?.reason ?? 'nobody', usage, effects: 'none' }
          })(),
          cancel: () => {},
        }),
      },
    })
    const { taskId, runId } = await stages.last.launch({
      script: script(`return agent('ls', { label: 'a' })`),
    })
    await stages.last.finish()
    expect(seen).toMatchObject([
      { runId, taskId, workflowToolUseId: 'toolu_1', agent: { index: 1, label: 'a' }, toolName: 'Bash' },
    ])
    expect(stages.last.ended[0]?.end.value).toBe('no')
  })
})
