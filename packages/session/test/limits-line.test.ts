import { expect, test } from 'vitest'
import { limitsOf } from '../src/limits-line.ts'
import type { SessionConfig } from '../src/session-config.ts'

const plain: SessionConfig = {
  settings: {},
  permissionMode: 'default',
  allowedTools: [],
  disallowedTools: [],
  includePartialMessages: false,
  includeHookEvents: false,
  mcpServers: {},
  strictMcpConfig: false,
  additionalDirectories: [],
  print: true,
}

test('permissions and the wait are always told', () => {
  expect(limitsOf(plain)).toBe(
    'tutti: permission mode default, nobody is asked: what no rule allows is denied; waits until its workflows have ended (--max-wait sets a limit)',
  )
})

test('a mode that allows everything is told as that', () => {
  expect(limitsOf({ ...plain, permissionMode: 'bypassPermissions' })).toContain(
    'every use of a tool is allowed but for what rules deny',
  )
})

test('limits that were set are told, and no others', () => {
  const limits = {
    agents: 40,
    concurrency: 3,
    costUsd: 2.5,
    tokens: 1000,
    outputTokens: null,
    wallMs: 60_000,
  }
  expect(
    limitsOf({ ...plain, maxWaitMs: 5000, maxTurns: 3, maxBudgetUsd: 1, settings: { tutti: { limits } } }),
  ).toContain(
    'waits at most 5 s for its workflows; at most 3 answers a turn; at most 1 US dollars; each workflow at most 40 agents, 3 agents at once, 2.5 US dollars, 1000 tokens, 60 s',
  )
})
