import { readFile } from 'node:fs/promises'
import type { JsonValue, RunOutput, RunStatus } from '@tutti/protocol'
import { canonicalJson, type RunStore, type StoredRun } from '@tutti/runtime'
import { compareCalls, type CallComparison } from './compare-calls.ts'
import { callsOf } from './run-calls.ts'

/** Two texts: equal, or how they differ. */
export interface TextComparison {
  equal: boolean
  /** A unified diff; absent when equal, or when a text is missing. */
  patch?: string
  /** Why there is no diff although they are not equal. */
  reason?: string
}

export interface ComparedRun {
  runId: string
  workflowName: string
  status: RunStatus
  startedAt: number
}

/** How two runs differ. */
export interface RunComparison {
  a: ComparedRun
  b: ComparedRun
  script: TextComparison
  args: TextComparison
  calls: CallComparison
  result: TextComparison
}

const CONTEXT = 3
const PATIENCE_MS = 3000

/** Compares what two runs were, did and came to. Throws RunNotFoundError. */
export async function compareRuns(store: RunStore, [idA, idB]: [string, string]): Promise<RunComparison> {
  const a = await store.load(idA)
  const b = await store.load(idB)
  const readerOf = (runId: string) => (hash: string) => store.readBlob(runId, hash)
  const [blobsA, blobsB] = [readerOf(idA), readerOf(idB)]
  const calls = await compareCalls(
    { calls: await callsOf(a, blobsA), readBlob: blobsA },
    { calls: await callsOf(b, blobsB), readBlob: blobsB },
  )
  return {
    a: about(a),
    b: about(b),
    script: await compareTexts(a.script, b.script, [idA, idB]),
    args: await compareValues(a.record.args, b.record.args, [idA, idB]),
    calls,
    result: await compareValues(await resultOf(a), await resultOf(b), [idA, idB]),
  }
}

function about({ record }: StoredRun): ComparedRun {
  const { runId, workflowName, status, startedAt } = record
  return { runId, workflowName, status, startedAt }
}

type Names = [string, string]

async function compareValues(
  a: JsonValue | undefined,
  b: JsonValue | undefined,
  names: Names,
): Promise<TextComparison> {
  return compareTexts(pretty(a), pretty(b), names)
}

async function compareTexts(
  a: string | undefined,
  b: string | undefined,
  names: Names,
): Promise<TextComparison> {
  if (a === b) return { equal: true }
  if (a === undefined || b === undefined) {
    return { equal: false, reason: `${a === undefined ? names[0] : names[1]} has none` }
  }
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import('diff')
  const options = { context: CONTEXT, timeout: PATIENCE_MS, headerOptions: FILE_HEADERS_ONLY }
  const patch = createTwoFilesPatch(...names, a, b, '', '', options)
  return patch === undefined
    ? { equal: false, reason: 'too different to be compared' }
    : { equal: false, patch }
}

/** Keys in one order, so that only what is in a value counts. */
function pretty(value: JsonValue | undefined): string | undefined {
  if (value === undefined) return undefined
  return `${JSON.stringify(JSON.parse(canonicalJson(value)), undefined, 2)}\n`
}

/** The value of a completed run, or what another one had. */
async function resultOf({ locations }: StoredRun): Promise<JsonValue | undefined> {
  const text = await readFile(locations.output, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const { result, partialResult } = JSON.parse(text) as RunOutput
  return result ?? partialResult
}
