import { stat } from 'node:fs/promises'
import { createRuntime, type RunHandle } from '@tutti/runtime'
import { openStore } from '@tutti/storage'
import { baseline } from './baseline.ts'
import { instantExecutor } from './instant-executor.ts'
import { scriptOf, type Sample, type SampleSpec } from './spec.ts'

const CONCURRENCY = 16

/** Does one run against the file store and measures it. Throws when it does not complete. */
export async function takeSample(spec: SampleSpec): Promise<Sample> {
  const baselineMs = await baseline(spec, CONCURRENCY)
  const store = openStore({ root: spec.root, cwd: spec.root })
  const runtime = createRuntime({ executor: instantExecutor(spec.resultBytes), store })
  const limits = { concurrency: CONCURRENCY, agents: spec.agents, entries: spec.agents }
  const handle =
    spec.resume === undefined
      ? await runtime.launch({ source: scriptOf(spec) }, { limits, cwd: spec.root })
      : await runtime.resume(spec.resume, { limits })
  const ready = await readyAt(handle)
  const end = await handle.result
  const ms = performance.now() - ready
  if (end.status !== 'completed') throw new Error(`the run ended as ${end.status}: ${end.error?.message}`)
  const journalBytes = (await stat(handle.locations.journal)).size
  const maxRssMiB = process.resourceUsage().maxRSS / 1024
  return { runId: handle.runId, ms, baselineMs, journalBytes, maxRssMiB, dispatched: end.dispatched }
}

/** When the script's first line of log arrived. */
async function readyAt(handle: RunHandle): Promise<number> {
  for await (const event of handle.events) if (event.type === 'log') return performance.now()
  throw new Error('the script never ran')
}
