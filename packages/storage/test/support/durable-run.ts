import type { JournalLine, JsonValue } from '@tutti/protocol'
import { createRuntime, type AgentExecutor, type RunEnd, type RunStore } from '@tutti/runtime'
import { createScriptedExecutor, createSeededRandom } from '@tutti/runtime/testing'

/** A small run with all that a run writes: results small and large, a failure, a timer, logs, transcripts. */
const SCRIPT = `export const meta = { name: 'small', description: 'A small run', phases: ['Work', 'Sum'] }
phase('Work')
const found = await parallel(['a', 'b', 'large', 'dead'].map(name => async () => {
  const value = await agent('Do ' + name, { label: name })
  log('received ' + name)
  return value === null ? 'nothing' : String(value.length)
}))
await new Promise(resolve => setTimeout(resolve, 1))
phase('Sum')
const sum = await agent('Sum up ' + found.join(), { label: 'sum' })
log('received sum')
return { found, sum }
`

const TABLE = {
  a: { ok: 'A', effects: 'none' as const },
  b: { ok: 'äöü\u2028🙂', effects: 'none' as const },
  large: { ok: 'x'.repeat(300_000), effects: 'none' as const },
  dead: { die: 'crashed' as const, effects: 'none' as const },
  sum: { ok: 'S', effects: 'none' as const },
}

/** What the run returns when nothing goes wrong. */
export const VALUE: JsonValue = { found: ['1', '6', '300000', 'nothing'], sum: 'S' }

/** What somebody saw of an attempt. */
export interface Seen {
  /** Absent when the attempt did not begin. */
  end?: RunEnd
  /** Why it did not. */
  refused?: unknown
  runId?: string
  /** Labels of the agents whose results the script had received. */
  received: string[]
  /** Labels that were dispatched. */
  dispatched: string[]
}

export interface PlayOptions {
  /** Of ids. */
  seed?: number
  /** The resume brings the script along. */
  withScript?: boolean
  /** Called, and waited for, before an agent starts. */
  onStart?(label: string): Promise<void> | void
}

/** Launches the run, or resumes it, and waits for its end. */
export async function playRun(
  store: RunStore,
  runId?: string,
  { seed = 7, withScript, onStart }: PlayOptions = {},
): Promise<Seen> {
  const executor = createScriptedExecutor(TABLE)
  const runtime = createRuntime({
    store,
    executor: staged(executor, onStart),
    random: createSeededRandom(seed),
  })
  const seen: Seen = { received: [], dispatched: [], ...(runId !== undefined && { runId }) }
  try {
    const handle =
      runId === undefined
        ? await runtime.launch({ source: SCRIPT })
        : await runtime.resume(runId, withScript ? { script: { source: SCRIPT } } : {})
    seen.runId = handle.runId
    for await (const event of handle.events) {
      if (event.type === 'log') seen.received.push(event.row.message.replace('received ', ''))
    }
    seen.end = await handle.result
  } catch (error) {
    seen.refused = error
  }
  seen.dispatched = Object.keys(executor.dispatched())
  return seen
}

/** Labels of the calls with a result in a journal. */
export function finishedIn(journal: JournalLine[]): string[] {
  return journal.flatMap(line => (line.type === 'result' ? (line.label ?? '') : []))
}

/** The same agents, each with a line in its transcript. */
function staged(executor: AgentExecutor, onStart: PlayOptions['onStart']): AgentExecutor {
  return {
    backendOf: call => executor.backendOf(call),
    capabilities: backend => executor.capabilities(backend),
    start(call, context) {
      context.transcript({ type: 'user', message: { role: 'user', content: call.prompt } })
      const started = Promise.resolve(onStart?.(call.label)).then(() => executor.start(call, context))
      return {
        events: { [Symbol.asyncIterator]: () => noEvents() },
        result: started.then(({ result }) => result),
        cancel: reason => void started.then(({ cancel }) => cancel(reason)),
      }
    },
  }
}

async function* noEvents(): AsyncGenerator<never> {}
