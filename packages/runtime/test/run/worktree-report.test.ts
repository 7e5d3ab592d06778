import type { WorktreeReport } from '@tutti/protocol'
import { expect, it } from 'vitest'
import type { AgentCall, AgentExecutor, AgentOutcome } from '../../src/ports/agent-executor.ts'
import { noUsage } from '../../src/run/run-state.ts'
import type { RunEnd } from '../../src/run/types.ts'
import { createStage } from '../support/stage.ts'

const worktree: WorktreeReport = {
  path: '/p/.claude/worktrees/one',
  base: 'abc',
  branch: 'tutti/one',
  files: ['a'],
}

function executorOf(outcomeOf: (call: AgentCall) => AgentOutcome): AgentExecutor {
  return {
    backendOf: () => 'trees',
    capabilities: () => ({ schema: 'loop', usage: 'none', maxTurns: false, isolation: true }),
    start: call => ({
      events: (async function* () {})(),
      result: Promise.resolve(outcomeOf(call)),
      cancel: () => {},
    }),
  }
}

const rowsOf = (end: RunEnd): unknown[] =>
  end.record.progress.filter(row => row.type === 'workflow_agent').map(row => row.worktree)

const body = `return await agent('work', { label: 'w', isolation: 'worktree' })`

it('is in the row and in the journal, and still there when the result is taken from the journal', async () => {
  const executor = executorOf(() => ({
    status: 'ok',
    value: 'done',
    usage: noUsage(),
    effects: 'isolated',
    worktree,
  }))
  const stage = createStage({ executor })
  const end = await stage.run(body, {})
  expect(rowsOf(end)).toEqual([worktree])
  expect(stage.journal().find(line => line.type === 'result')).toMatchObject({ worktree })
  const again = await stage.again({})
  expect(again.record.census.cached).toBe(1)
  expect(rowsOf(again)).toEqual([worktree])
})

it('of an earlier try is not lost when a later one changed nothing', async () => {
  const executor = executorOf(({ attempt }) =>
    attempt === 1
      ? {
          status: 'failed',
          cause: 'crashed',
          message: 'died',
          usage: noUsage(),
          effects: 'isolated',
          worktree,
        }
      : { status: 'ok', value: 'done', usage: noUsage(), effects: 'isolated' },
  )
  const end = await createStage({ executor }).run(body, {})
  expect(end.status).toBe('completed')
  expect(rowsOf(end)).toEqual([worktree])
})

it('is kept with a failure', async () => {
  const executor = executorOf(() => ({
    status: 'failed',
    cause: 'refused',
    message: 'no',
    usage: noUsage(),
    effects: 'isolated',
    worktree,
  }))
  const stage = createStage({ executor })
  const end = await stage.run(body, {})
  expect(rowsOf(end)).toEqual([worktree])
  expect(stage.journal().find(line => line.type === 'failed')).toMatchObject({ worktree })
})
