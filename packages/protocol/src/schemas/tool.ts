import { z } from 'zod'
import { FOREIGN_RUN_ID_PATTERN } from '../ids.ts'
import type { WorkflowToolInput, WorkflowToolOutput } from '../tool.ts'
import { JsonValueSchema } from './json.ts'
import { closedObjectOf, objectOf } from './object-of.ts'

const text = z.string().min(1)

/** Refuses other fields, and an input that names nothing to run. */
export const WorkflowToolInputSchema: z.ZodType<WorkflowToolInput> = closedObjectOf<WorkflowToolInput>()({
  script: text.optional().describe('A whole workflow script.'),
  name: text.optional().describe('Name of a saved workflow.'),
  scriptPath: text.optional().describe('Path of a script file. Wins over script and name.'),
  args: JsonValueSchema.optional().describe('Any JSON value; the script reads it as `args`.'),
  resumeFromRunId: z
    .string()
    .regex(FOREIGN_RUN_ID_PATTERN, 'a run id looks like wf_1a2b3c4d-5e6')
    .optional()
    .describe('Continue this run; finished agents are not paid for again. Alone, or with a script and args.'),
  title: z.string().optional().describe('Accepted and ignored.'),
  description: z.string().optional().describe('Accepted and ignored.'),
}).refine(namesSomethingToRun, 'give one of script, name, scriptPath or resumeFromRunId')

function namesSomethingToRun(input: WorkflowToolInput): boolean {
  const { script, name, scriptPath, resumeFromRunId } = input
  return [script, name, scriptPath, resumeFromRunId].some(value => value !== undefined)
}

export const WorkflowToolOutputSchema: z.ZodType<WorkflowToolOutput> = objectOf<WorkflowToolOutput>()({
  status: z.literal('async_launched'),
  taskId: z.string(),
  taskType: z.literal('local_workflow'),
  workflowName: z.string(),
  runId: z.string(),
  summary: z.string(),
  transcriptDir: z.string(),
  scriptPath: z.string(),
  warning: z.string().optional(),
})
