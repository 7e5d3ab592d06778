import type { TurnUsage } from '@tutti/agents/chat'
import type { FrameStamp, JsonObject, ResultFrame } from '@tutti/protocol'
import type { Spending } from './spending.ts'
import type { Tally } from './tally.ts'

export interface ResultOptions {
  tally: Tally
  spending: Spending
  now: number
  stamp: FrameStamp
}

/** The `result` of a turn. `usage` is of this turn; cost and `modelUsage` are of the whole session. */
export function resultFrame({ tally, spending, now, stamp }: ResultOptions): ResultFrame {
  const success = tally.outcome === 'success'
  return {
    type: 'result',
    // Consumers know no word for a turn that was interrupted.
    subtype: tally.outcome === 'interrupted' ? 'error_during_execution' : tally.outcome,
    is_error: !success,
    duration_ms: Math.max(0, Math.round(now - tally.startedAt)),
    duration_api_ms: Math.round(tally.apiMs),
    num_turns: tally.answers,
    ...(success ? { result: tally.text } : { errors: errorsOf(tally) }),
    stop_reason: tally.stopReason,
    total_cost_usd: spending.costUsd,
    usage: usageOf(Object.values(tally.usage)),
    modelUsage: spending.byModel,
    permission_denials: tally.denials.map(denial => ({ ...denial })),
    ...(tally.structuredOutput !== undefined && { structured_output: tally.structuredOutput }),
    ...(tally.origin !== undefined && { origin: tally.origin }),
    ...stamp,
  }
}

function errorsOf({ errors, outcome }: Tally): string[] {
  return errors.length === 0 ? [`the turn ended: ${outcome}`] : errors
}

/** Every field that consumers may read without looking. */
function usageOf(usages: TurnUsage[]): JsonObject {
  const sum = (field: 'input' | 'output' | 'cacheRead' | 'cacheWrite'): number =>
    usages.reduce((total, usage) => total + usage[field], 0)
  return {
    input_tokens: sum('input'),
    output_tokens: sum('output'),
    cache_creation_input_tokens: sum('cacheWrite'),
    cache_read_input_tokens: sum('cacheRead'),
    cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: sum('cacheWrite') },
    server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
    service_tier: 'standard',
    inference_geo: '',
    iterations: [],
    speed: 'standard',
  }
}
