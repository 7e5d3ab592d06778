import type { JsonObject } from '@tutti/protocol'
import { createRuntime, type AgentExecutor, type RunStore, type Runtime } from '@tutti/runtime'
import { createScriptedExecutor, type ScriptedTable } from '@tutti/runtime/testing'
import { openAgentTypes, openStore, openWorkflows } from '@tutti/storage'
import type { Workspace } from './workspace.ts'

/** The file store of a workspace. */
export function fileStore({ root, work }: Workspace): RunStore {
  return openStore({ root, cwd: work })
}

export function scriptedExecutor(table: JsonObject): AgentExecutor {
  return createScriptedExecutor(table as unknown as ScriptedTable)
}

/** A runtime over these, with the workflows and agent types that the workspace has. */
export function assemble(parts: { workspace: Workspace; store: RunStore; executor: AgentExecutor }): Runtime {
  const { store, executor } = parts
  const places = { cwd: parts.workspace.work, root: parts.workspace.root }
  return createRuntime({
    store,
    executor,
    workflows: openWorkflows(places),
    agentTypes: openAgentTypes(places),
  })
}
