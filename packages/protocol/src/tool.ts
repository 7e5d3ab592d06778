import type { JsonValue } from './json.ts'

/** Input of the `Workflow` tool. One of the first three, or `resumeFromRunId`, alone or with a source and `args`. */
export interface WorkflowToolInput {
  script?: string
  name?: string
  /** Wins over `script` and `name`. */
  scriptPath?: string
  args?: JsonValue
  resumeFromRunId?: string
  /** Accepted, ignored. */
  title?: string
  /** Accepted, ignored. */
  description?: string
}

/** Structured result of the `Workflow` tool: the run is in the background. */
export interface WorkflowToolOutput {
  status: 'async_launched'
  taskId: string
  taskType: 'local_workflow'
  workflowName: string
  runId: string
  summary: string
  transcriptDir: string
  scriptPath: string
  warning?: string
}
