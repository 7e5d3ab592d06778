import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { SampleSpec } from './spec.ts'

/** The same number of results through plain promises, each appended to one file, which is synced at the end. */
export async function baseline(spec: SampleSpec, concurrency: number): Promise<number> {
  const startedAt = performance.now()
  const file = await open(join(spec.root, 'baseline.jsonl'), 'w')
  const result = 'x'.repeat(spec.resultBytes)
  let next = 0
  const lanes = Array.from({ length: concurrency }, async () => {
    while (next < spec.agents)
      await file.appendFile(`${JSON.stringify({ n: next++, result: await answer(result) })}\n`)
  })
  await Promise.all(lanes)
  await file.sync()
  await file.close()
  return performance.now() - startedAt
}

function answer(text: string): Promise<string> {
  return Promise.resolve(text)
}
