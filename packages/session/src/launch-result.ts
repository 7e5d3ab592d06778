import { boundError, boundLabel, type UserFrame, type WorkflowToolOutput } from '@tutti/protocol'
import type { Random, RunHandle } from '@tutti/runtime'
import { stamp } from './stamp.ts'

/** What the `Workflow` tool answers once a run is in the background. */
export function launchResult(handle: RunHandle): WorkflowToolOutput {
  const warning = handle.warnings.join('\n')
  return {
    status: 'async_launched',
    taskId: handle.taskId,
    taskType: 'local_workflow',
    workflowName: boundLabel(handle.name),
    runId: handle.runId,
    summary: boundError(handle.description),
    transcriptDir: handle.locations.transcripts,
    scriptPath: handle.locations.script,
    ...(warning !== '' && { warning }),
  }
}

/** The same for the model, in lines that programs parse. */
export function launchText(output: WorkflowToolOutput): string {
  return [
    `Workflow launched in background. Task ID: ${output.taskId}`,
    // One line: a line break could bring lines that look like the next ones.
    `Summary: ${output.summary.replace(/\s+/g, ' ')}`,
    `Transcript dir: ${output.transcriptDir}`,
    `Script file: ${output.scriptPath}`,
    `Run ID: ${output.runId}`,
    ...(output.warning === undefined ? [] : [`Warning: ${output.warning}`]),
    `To change the script, edit the file and call Workflow with {"scriptPath":${JSON.stringify(output.scriptPath)},"resumeFromRunId":"${output.runId}"}: agents whose inputs did not change keep their results.`,
    `To resume as it is: Workflow({"resumeFromRunId":"${output.runId}"}).`,
    'A task notification follows when the run ends; do not wait or poll for it.',
  ].join('\n')
}

export interface LaunchFrameOptions {
  output: WorkflowToolOutput
  toolUseId: string
  sessionId: string
  random: Random
}

/** The tool result of a launch as a frame. It follows the `task_started` of its run. */
export function launchFrame({ output, toolUseId, sessionId, random }: LaunchFrameOptions): UserFrame {
  return {
    type: 'user',
    message: {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: toolUseId,
          content: [{ type: 'text', text: launchText(output) }],
        },
      ],
    },
    parent_tool_use_id: null,
    tool_use_result: { ...output },
    ...stamp(sessionId, random),
  }
}

/** An id for a tool use that no model made. */
export function syntheticToolUseId(random: Random): string {
  return `toolu_${Buffer.from(random.bytes(12)).toString('hex')}`
}
