import { createWorkspace } from './workspace.ts'
import { assemble, fileStore, scriptedExecutor } from './wiring.ts'

/** Whether a trivial run in this process still completes. */
export async function hostIsAlive(): Promise<boolean> {
  const source = "export const meta = { name: 'alive', description: 'Answers' }\nreturn await agent('ping')"
  const workspace = createWorkspace({ files: { 'main.js': source } })
  try {
    const store = fileStore(workspace)
    const runtime = assemble({ workspace, store, executor: scriptedExecutor({ '*': { echo: true } }) })
    const { status, value } = await (await runtime.launch({ source }, { cwd: workspace.work })).result
    return status === 'completed' && value === 'ping'
  } finally {
    workspace.remove()
  }
}
