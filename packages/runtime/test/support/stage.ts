import type { JournalLine, JsonValue } from '@tutti/protocol'
import type { WorkflowSource } from '../../src/ports/workflow-source.ts'
import { WorkflowNotFoundError } from '../../src/errors/errors.ts'
import { createRuntime } from '../../src/run/create-runtime.ts'
import type { LaunchOptions, ResumeOptions, RunEnd, RunHandle, RuntimeOptions } from '../../src/run/types.ts'
import { createScriptedExecutor, type ScriptedExecutor, type ScriptedTable } from '../../src/testing/index.ts'
import { createMemoryStore, type MemoryStore } from '../../src/testing/memory-store.ts'
import { createSeededRandom } from '../../src/testing/seeded-random.ts'

/** A script with a plain meta around `body`. */
export function script(body: string, meta = ''): string {
  return `export const meta = { name: 'case', description: 'a case'${meta === '' ? '' : `, ${meta}`} }\n${body}`
}

export interface Stage {
  store: MemoryStore
  /** The executor of the latest step. */
  executor: ScriptedExecutor
  launch(body: string, table: ScriptedTable, options?: LaunchOptions): Promise<RunHandle>
  resume(table: ScriptedTable, options?: ResumeOptions & { body?: string }): Promise<RunHandle>
  /** Launches and waits. */
  run(body: string, table: ScriptedTable, options?: LaunchOptions): Promise<RunEnd>
  /** Resumes the last run and waits. */
  again(table: ScriptedTable, options?: ResumeOptions & { body?: string }): Promise<RunEnd>
  journal(): JournalLine[]
}

export interface StageOptions extends Partial<RuntimeOptions> {
  /** Child workflows by path or name. */
  children?: Record<string, string>
}

/** A runtime over memory whose agents follow a table, one table a step. */
export function createStage({ children = {}, ...options }: StageOptions = {}): Stage {
  const store = createMemoryStore()
  const random = createSeededRandom(1)
  let runId = ''
  const runtimeFor = (table: ScriptedTable): ReturnType<typeof createRuntime> => {
    stage.executor = createScriptedExecutor(
      table,
      options.clock === undefined ? {} : { clock: options.clock },
    )
    return createRuntime({
      store,
      random,
      limits: { concurrency: 16 },
      workflows: childrenFrom(children),
      ...options,
      executor: options.executor ?? stage.executor,
    })
  }
  const stage: Stage = {
    store,
    executor: createScriptedExecutor({}),
    async launch(body, table, launch = {}) {
      const source = body.includes('export const meta') ? body : script(body)
      const handle = await runtimeFor(table).launch({ source }, launch)
      runId = handle.runId
      return handle
    },
    async resume(table, { body, ...resume } = {}) {
      const script_ = body === undefined ? {} : { script: { source: script(body) } }
      return await runtimeFor(table).resume(runId, { ...script_, ...resume })
    },
    run: async (...args) => await (await stage.launch(...args)).result,
    again: async (...args) => await (await stage.resume(...args)).result,
    journal: () => store.journal(runId),
  }
  return stage
}

function childrenFrom(children: Record<string, string>): WorkflowSource {
  return {
    resolve: async ref => {
      const name = 'name' in ref ? ref.name : ref.scriptPath
      const source = children[name]
      if (source === undefined) {
        throw new WorkflowNotFoundError(
          `no workflow "${name}"; there are ${Object.keys(children).join(', ')}`,
        )
      }
      return { source, ...('scriptPath' in ref && { path: name }) }
    },
  }
}

/** What was replayed and what was dispatched in an attempt, in short. */
export function tally(end: RunEnd): {
  status: string
  value: JsonValue | undefined
  cached: number
  dispatched: number
} {
  return {
    status: end.status,
    value: end.value,
    cached: end.record.census.cached,
    dispatched: end.dispatched,
  }
}
