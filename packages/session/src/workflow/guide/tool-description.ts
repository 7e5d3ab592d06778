/** What a model is told of the tool `Workflow`: when to use it, the shape of a script, its rules. */
export function workflowDescription(): string {
  return DESCRIPTION
}

const DESCRIPTION = `Launches a workflow: a script that sends many agents to work in the background, in parallel and in stages, and returns one result. It answers at once with a task id; a <task-notification> with the result comes when the run has ended.

Use it when the user asks for a workflow, for many agents or for a saved workflow by name, or when the session's instructions tell you to. Good for work that splits into many independent parts (review every file, research many questions), that needs checking by somebody else (find, then verify), or that is repeated until nothing new turns up. Not for what you can do in a few steps yourself.

Input, one of:
- {"name": "…", "args": …}: a saved workflow.
- {"script": "…", "args": …}: a script you wrote. Read WorkflowGuide first if you have not.
- {"scriptPath": "…", "args": …}: a script file below the working directory, or the script file that an earlier launch named. Wins over script and name.
- {"resumeFromRunId": "wf_…"}: go on with a run that was stopped, failed or paused; add a script source or args to change them. Agents whose inputs are the same keep their results and cost nothing again.
args is any JSON value (an object, not a text with JSON in it); the script reads it as args.

A script is one plain JavaScript file:

\`\`\`js
export const meta = {
  name: 'review-files',
  description: 'Review files and check every finding',
  phases: [{ title: 'Review' }, { title: 'Verify' }],
}

const FINDINGS = {
  type: 'object',
  required: ['findings'],
  properties: { findings: { type: 'array', items: { type: 'string' } } },
}
const VERDICT = { type: 'object', required: ['real'], properties: { real: { type: 'boolean' } } }

const files = args?.files ?? ['src/index.ts']
const checked = await pipeline(
  files,
  file => agent(\`Review \${file}. Report only real bugs.\`, { label: file, phase: 'Review', schema: FINDINGS }),
  (review, file) =>
    parallel(
      (review?.findings ?? []).map(finding => async () => {
        const verdict = await agent(\`Try to refute this claim about \${file}: \${finding}\`, {
          label: \`verify \${file}\`,
          phase: 'Verify',
          schema: VERDICT,
        })
        return verdict?.real ? { file, finding } : null
      }),
    ),
)
return checked.flat().filter(entry => entry)
\`\`\`

Rules:
- The first statement is export const meta = {…}, written out (no variables, calls or spreads), with name and description. The rest is the body of an async function: await and return work at the top.
- agent(prompt, options?) gives text, or with schema an object that fits it; null when the agent failed for good: always allow for null.
- parallel takes functions: parallel(items.map(item => () => agent(…))). pipeline(items, stage, …) sends each item through all stages without waiting for the others; stages get (previous, item, index).
- Agents know nothing of this conversation or of each other: each prompt must hold all that its agent needs.
- No imports, files, network or shell in the script: agents do the work. No Date.now(), new Date() or Math.random(): pass such values in args.
- Plain JavaScript, no TypeScript. In the JSON of this call the script is one string.

A script that does not parse launches nothing and is answered with the place of the mistake.`
