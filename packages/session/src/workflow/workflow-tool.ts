import type { ChatTool } from '@tutti/agents/chat'
import type { Launcher } from './launcher.ts'
import { workflowDescription } from './guide/tool-description.ts'
import { WORKFLOW_GUIDE } from './guide/guide.ts'
import { WORKFLOW_INPUT_SCHEMA } from './workflow-input.ts'

/** Launches a workflow and answers at once. It asks for permission by itself. */
export function createWorkflowTool(launcher: Launcher): ChatTool {
  return {
    name: 'Workflow',
    aliases: ['RunWorkflow'],
    description: workflowDescription(),
    inputSchema: WORKFLOW_INPUT_SCHEMA,
    readOnly: false,
    decidesItself: true,
    // What was launched is told before the result of its launch.
    endsItself: true,
    run: (input, use) => launcher.launch(input, use),
  }
}

/** How to write a script, for a model that is about to. */
export function createGuideTool(): ChatTool {
  return {
    name: 'WorkflowGuide',
    description:
      'The complete guide to writing workflow scripts: every primitive and option, what failures look like, determinism, patterns with code, common mistakes. Read it before you write or mend a script for the tool Workflow.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    readOnly: true,
    run: async () => ({ content: WORKFLOW_GUIDE }),
  }
}
