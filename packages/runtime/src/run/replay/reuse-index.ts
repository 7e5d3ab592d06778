import { boundPreview, type AgentUsage, type ResultEntry } from '@tutti/protocol'
import type { ReusableCall, ReusableRun } from '../../ports/reusable-run.ts'
import type { Call } from '../call.ts'
import { noUsage } from '../run-state.ts'
import type { RecordedResult } from './record-index.ts'

/** Imported results are older than any attempt of the run that reuses them. */
const BEFORE_ALL_ATTEMPTS = 0
/** After all records of the run's own, in the order of the calls. */
const AFTER_ALL_RECORDS = 2 ** 45

/** Results of a foreign run, found by the prompt and the options that are known of them. */
export interface ReuseIndex {
  find(call: Call): RecordedResult | undefined
  /** One line for each result that no call took, with the reason where a call had the same prompt. */
  unused(): string[]
}

export function indexReuse({ source, product, calls, problems }: ReusableRun): ReuseIndex {
  const byPrompt = new Map<string, Candidate[]>()
  const all: Candidate[] = []
  for (const reusable of calls) {
    if (!reusable.complete) continue
    const candidate: Candidate = { reusable, taken: false }
    all.push(candidate)
    const same = byPrompt.get(reusable.prompt)
    if (same === undefined) byPrompt.set(reusable.prompt, [candidate])
    else same.push(candidate)
  }
  let found = 0
  return {
    find(call) {
      const free = (byPrompt.get(call.prompt) ?? []).filter(candidate => !candidate.taken)
      const fitting = free.filter(candidate => {
        candidate.misfit = misfit(call, candidate.reusable)
        return candidate.misfit === undefined
      })
      const chosen = fitting.find(({ reusable }) => reusable.label === call.label) ?? fitting[0]
      if (chosen === undefined) return undefined
      chosen.taken = true
      const origin = { product, source, transcriptId: chosen.reusable.transcriptId }
      return imported(call, chosen.reusable, { order: AFTER_ALL_RECORDS + found++, origin })
    },
    unused: () => [
      ...problems.map(({ what, why }) => `${what}: ${why}`),
      ...all
        .filter(({ taken }) => !taken)
        .map(({ reusable, misfit: why }) => {
          const name = reusable.label ?? boundPreview(reusable.prompt).slice(0, 60)
          return `${name} (${reusable.transcriptId}): ${why ?? 'no call had its prompt'}`
        }),
    ],
  }
}

interface Candidate {
  reusable: ReusableCall
  taken: boolean
  /** Why the last call with its prompt could not take it. */
  misfit?: string | undefined
}

/** Only what is known of the recorded agent is compared; what is known must be equal. */
function misfit(call: Call, reusable: ReusableCall): string | undefined {
  const { options } = call
  if (call.cache === 'never') return 'the call never takes a record'
  if (call.validator === undefined && reusable.hadSchema) return 'it is an object, and the call has no schema'
  if (call.validator !== undefined) {
    if (!reusable.hadSchema) return 'it is a text, and the call has a schema'
    if (call.validator.validate(reusable.result).length > 0) return 'it does not match the schema of the call'
  }
  const { model, agentType } = reusable
  if (options.model !== undefined && model !== undefined && model !== options.model) {
    return `it was made by model ${model}, and the call names ${options.model}`
  }
  if (agentType !== undefined && agentType !== call.agentType.name) {
    return `it is the work of agent type ${agentType}, and the call names ${call.agentType.name}`
  }
  return undefined
}

function imported(
  call: Call,
  reusable: ReusableCall,
  { order, origin }: { order: number; origin: NonNullable<ResultEntry['origin']> },
): RecordedResult {
  const usage: AgentUsage = noUsage()
  return {
    key: call.key,
    n: call.n,
    label: call.label,
    attempt: BEFORE_ALL_ATTEMPTS,
    seq: 0,
    order,
    taken: true,
    entry: {
      type: 'result',
      key: call.key,
      n: call.n,
      agentId: call.key,
      transcriptId: reusable.transcriptId,
      label: call.label,
      result: reusable.result,
      usage,
      tries: 1,
      effects: 'unknown',
      ...(reusable.model !== undefined && { model: reusable.model }),
      endedAt: 0,
      origin,
    },
  }
}
