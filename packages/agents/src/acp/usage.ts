import type { PromptResponse } from '@agentclientprotocol/sdk'
import type { AgentUsage } from '@tutti/protocol'
import { noUsage } from '../outcome.ts'
import type { SessionLog } from './session-log.ts'

/** What a session spent. The protocol has no token counts of its own; some agents add theirs. */
export function sessionUsage(answers: PromptResponse[], log: SessionLog, durationMs: number): AgentUsage {
  const usage: AgentUsage = { ...noUsage(), toolUses: log.toolUses, durationMs, costUsd: log.costUsd ?? null }
  const counted = answers.map(countsOf).filter(counts => counts !== undefined)
  for (const counts of counted) {
    usage.input += counts.input
    usage.output += counts.output
    usage.cacheRead += counts.cacheRead
    usage.cacheWrite += counts.cacheWrite
  }
  const exact = counted.length > 0 && counted.length === answers.length
  // The size of the context is the best guess at what was read to make it.
  if (!exact && log.used !== undefined && counted.length === 0) usage.input = log.used
  return { ...usage, exact }
}

type Counts = Pick<AgentUsage, 'input' | 'output' | 'cacheRead' | 'cacheWrite'>

function countsOf(answer: PromptResponse): Counts | undefined {
  const { usage } = answer as { usage?: unknown }
  const quota = fieldOf(answer._meta?.['quota'], 'token_count')
  if (numberOf(usage, 'outputTokens') !== undefined) {
    return {
      input: numberOf(usage, 'inputTokens') ?? 0,
      output: numberOf(usage, 'outputTokens') ?? 0,
      cacheRead: numberOf(usage, 'cachedReadTokens') ?? 0,
      cacheWrite: numberOf(usage, 'cachedWriteTokens') ?? 0,
    }
  }
  const output = numberOf(quota, 'output_tokens')
  if (output === undefined) return undefined
  return { input: numberOf(quota, 'input_tokens') ?? 0, output, cacheRead: 0, cacheWrite: 0 }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

function numberOf(value: unknown, name: string): number | undefined {
  const found = fieldOf(value, name)
  return typeof found === 'number' && Number.isFinite(found) && found >= 0 ? found : undefined
}
