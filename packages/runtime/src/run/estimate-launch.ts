import type { RunRecord } from '@tutti/protocol'
import type { RuntimeParts } from './begin-attempt.ts'
import { launchFacts } from './launch-run.ts'
import { standOf } from './plan-resume.ts'
import type { LaunchEstimate, PastRuns } from './plan-types.ts'
import { rehearse } from './rehearse.ts'
import { indexRecords } from './replay/record-index.ts'
import { tokensOf } from './run-state.ts'
import type { LaunchOptions, ScriptInput } from './types.ts'

const NOWHERE = { record: '', output: '', journal: '', script: '', transcripts: '' }

/**
 * What a launch is going to ask for, as far as it can be known before: the agents the script starts before it
 * waits for the first of them, and what earlier runs of the same workflow took. Spends and writes nothing.
 */
export async function estimateLaunch(
  parts: RuntimeParts,
  script: ScriptInput,
  options: LaunchOptions,
): Promise<LaunchEstimate> {
  const { facts, warnings } = await launchFacts(parts, script, options)
  const records = indexRecords([])
  const { missed, ending, state } = await rehearse(parts, {
    facts,
    records,
    locations: NOWHERE,
  })
  const { end, error } = standOf(ending)
  const past = pastRuns(
    (await parts.ports.store.list()).map(run => run.record).filter(sameWorkflow(facts.meta.name)),
  )
  return {
    name: facts.meta.name,
    firstAgents: missed.map(({ call }) => ({
      label: call.label,
      ...(call.phase !== undefined && { phase: call.phase }),
    })),
    end,
    ...(error !== undefined && { error }),
    ...(past !== undefined && { past }),
    warnings: [...warnings, ...state.warnings],
  }
}

function sameWorkflow(name: string): (record: RunRecord) => boolean {
  return record => record.workflowName === name && record.status === 'completed'
}

function pastRuns(records: RunRecord[]): PastRuns | undefined {
  if (records.length === 0) return undefined
  return {
    runs: records.length,
    agents: median(records.map(record => record.census.total)),
    tokens: median(records.map(({ usage, priorUsage }) => tokensOf(usage) + tokensOf(priorUsage))),
    durationMs: median(records.map(({ attempts, usage }) => longest(attempts, usage.durationMs))),
  }
}

/** A replay takes no time: the longest attempt tells what the work took. */
function longest(attempts: RunRecord['attempts'], last: number): number {
  return attempts.reduce(
    (most, { startedAt, endedAt }) => Math.max(most, (endedAt ?? startedAt) - startedAt),
    last,
  )
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : Math.round(((sorted[middle - 1] ?? upper) + upper) / 2)
}
