import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createBackends, createExecutor } from '@tutti/agents'
import { createRuntime } from '@tutti/runtime'
import { openStore } from '@tutti/storage'
import type { ContestSpec } from './contest.ts'
import { AGENTS, FILE_TEXT, FILES, SCHEMA } from './work.ts'

/** All agents at once in one run with a file store: journal, transcripts and records included. */
export async function byModel({ url, root }: ContestSpec): Promise<number> {
  for (const name of FILES) await writeFile(join(root, name), FILE_TEXT)
  const env = {
    PATH: process.env['PATH'],
    ANTHROPIC_API_KEY: 'key-of-the-benchmark',
    ANTHROPIC_BASE_URL: url,
  }
  const backends = createBackends({ env, projectRoot: root })
  const runtime = createRuntime({
    executor: createExecutor({ backends, default: 'model' }),
    store: openStore({ root: join(root, 'store'), cwd: root }),
  })
  const limits = { concurrency: AGENTS, agents: AGENTS, entries: AGENTS }
  const { result } = await runtime.launch({ source: SCRIPT }, { limits, cwd: root })
  const end = await result
  if (end.status !== 'completed') throw new Error(`the run ended as ${end.status}: ${end.error?.message}`)
  return end.value as number
}

const SCRIPT = `export const meta = { name: 'agents', description: 'Benchmark' }
const schema = ${JSON.stringify(SCHEMA)}
const results = await parallel(Array.from({ length: ${AGENTS} }, (_, n) => () =>
  agent('Review part ' + n + ' of the project: read ${FILES.join(', ')} and say what you think of it.', { label: 'part-' + n, schema })))
return results.filter(result => result?.verdict === 'good').length`
