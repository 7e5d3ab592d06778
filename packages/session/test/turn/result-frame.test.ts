import type { TurnEnd, TurnUsage } from '@tutti/agents/chat'
import { describe, expect, test } from 'vitest'
import { resultFrame } from '../../src/turn/result-frame.ts'
import { createSpending } from '../../src/turn/spending.ts'
import { addTurn, createTally } from '../../src/turn/tally.ts'

const stamp = { uuid: 'u', session_id: 's' }

function usage(input: number, costUsd: number | null): TurnUsage {
  return { input, output: 1, cacheRead: 2, cacheWrite: 3, costUsd }
}

function end(more: Partial<TurnEnd>): TurnEnd {
  return {
    outcome: 'success',
    text: '',
    stopReason: 'end_turn',
    errors: [],
    answers: 1,
    apiMs: 10.4,
    usage: {},
    denials: [],
    ...more,
  }
}

describe('results', () => {
  test('add up what several turns spent; the last one says how it ended', () => {
    const tally = createTally(1000)
    const spending = createSpending()
    const denial = { tool_name: 'Bash', tool_use_id: 't', tool_input: {} }
    for (const turn of [
      end({ text: 'One.', usage: { a: usage(10, 0.5) }, denials: [denial], structuredOutput: { n: 1 } }),
      end({
        outcome: 'error_max_turns',
        errors: ['too many'],
        usage: { a: usage(5, 0.25), b: usage(1, null) },
      }),
    ]) {
      addTurn(tally, turn)
      spending.addTurn(turn.usage)
    }
    expect(resultFrame({ tally, spending, now: 3500, stamp })).toEqual({
      type: 'result',
      subtype: 'error_max_turns',
      is_error: true,
      duration_ms: 2500,
      duration_api_ms: 21,
      num_turns: 2,
      errors: ['too many'],
      stop_reason: 'end_turn',
      total_cost_usd: 0.75,
      usage: {
        input_tokens: 16,
        output_tokens: 3,
        cache_creation_input_tokens: 9,
        cache_read_input_tokens: 6,
        cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 9 },
        server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
        service_tier: 'standard',
        inference_geo: '',
        iterations: [],
        speed: 'standard',
      },
      modelUsage: {
        a: {
          inputTokens: 15,
          outputTokens: 2,
          cacheReadInputTokens: 4,
          cacheCreationInputTokens: 6,
          webSearchRequests: 0,
          costUSD: 0.75,
          contextWindow: 0,
          maxOutputTokens: 0,
        },
        b: {
          inputTokens: 1,
          outputTokens: 1,
          cacheReadInputTokens: 2,
          cacheCreationInputTokens: 3,
          webSearchRequests: 0,
          costUSD: 0,
          contextWindow: 0,
          maxOutputTokens: 0,
        },
      },
      permission_denials: [denial],
      structured_output: { n: 1 },
      ...stamp,
    })
  })

  test('a failure without a reason names its outcome, an interruption has the word of an error', () => {
    const tally = createTally(0, { kind: 'task-notification' })
    addTurn(tally, end({ outcome: 'interrupted' }))
    expect(resultFrame({ tally, spending: createSpending(), now: 0, stamp })).toMatchObject({
      subtype: 'error_during_execution',
      errors: ['the turn ended: interrupted'],
      origin: { kind: 'task-notification' },
    })
  })
})
