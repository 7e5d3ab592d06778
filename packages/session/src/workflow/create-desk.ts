import type { ChatTool } from '@tutti/agents/chat'
import { workflowSwitch } from '../workflow-switch.ts'
import { createAgentPermission } from './agent-permission.ts'
import { findCommand, listCommands } from './desk-commands.ts'
import type { WorkflowDeskOptions } from './desk-options.ts'
import { deskInstructions } from './instructions.ts'
import { createLauncher } from './launcher.ts'
import { createRuntimeSource } from './runtime-source.ts'
import { createSessionRuns } from './session-runs.ts'
import { controlTask, TASK_CAPABILITIES } from './task-control.ts'
import { createTaskTools } from './task-tools.ts'
import type { WorkflowDesk } from './types.ts'
import { createGuideTool, createWorkflowTool } from './workflow-tool.ts'

const AGENT_ASK_MS = 5 * 60_000

/** The workflows of one session. Nothing is read, made or written before it is used. */
export function createWorkflowDesk(options: WorkflowDeskOptions): WorkflowDesk {
  const { clock, env, host, settings, store, workflows } = options
  const off = workflowSwitch({ env, settings }) !== undefined
  const runs = createSessionRuns({ ...options, warn: message => options.warn?.(message) })
  const ask = createAgentPermission({
    host,
    clock,
    askMs: options.agentAskMs ?? AGENT_ASK_MS,
    byRun: runId => runs.byRun(runId),
  })
  const launcher = createLauncher({ desk: options, runs, runtimes: createRuntimeSource(options, ask) })
  const tools: ChatTool[] = off
    ? []
    : [createWorkflowTool(launcher), createGuideTool(), ...createTaskTools({ runs, clock, store })]

  return {
    tools,
    capabilities: off ? [] : TASK_CAPABILITIES,
    instructions: async (instruct = {}) => (off ? '' : deskInstructions({ workflows, settings }, instruct)),
    commands: async () => (off ? [] : listCommands({ workflows })),
    command: async prompt => (off ? undefined : findCommand(prompt, { workflows, runs, launcher })),
    get running() {
      return runs.running.map(({ handle }) => handle)
    },
    async stopTask(taskId, reason) {
      const task = runs.byTask(taskId)
      if (task === undefined || task.announced) return false
      void task.handle.stop(reason)
      await task.told
      return true
    },
    async stopAll(reason) {
      const withdrawn = launcher.withdraw(reason)
      const told = runs.running.map(task => {
        void task.handle.stop(reason)
        return task.told
      })
      await Promise.all([withdrawn, ...told])
    },
    idle: () => runs.idle(),
    announceTasks: () => runs.announce(),
    control: async request => (off ? undefined : controlTask(request, runs)),
  }
}
