export const GUIDE_PRIMITIVES: string = `## agent(prompt, options?)

Sends one agent to work. Resolves to its final text; with \`schema\` to an object that was checked against that JSON Schema (an agent whose object does not fit is told why and tries again). Resolves to null when it failed for good.

The agent sees its prompt and the project, nothing else: not this conversation, not the script, not what other agents found. Put everything it needs into the prompt: the task, the context, the files, the results of earlier agents, what a good answer looks like. Its final message is the return value, nobody answers questions.

| option | |
| --- | --- |
| \`label\` | short name in progress views, such as a file name |
| \`phase\` | progress group of this agent; wins over phase(). Use it inside parallel and pipeline, where work of several phases overlaps |
| \`schema\` | JSON Schema with type 'object' at its root. Use it whenever the script reads the answer |
| \`model\` | model of this agent; leave it out unless there is a reason |
| \`effort\` | 'low', 'medium', 'high', 'xhigh' or 'max' |
| \`agentType\` | a named agent definition of the project |
| \`tools\` | exact names of the tools it may use, such as ['Read', 'Grep', 'Glob'] |
| \`maxTurns\` | bound on its own loop |
| \`isolation\` | 'worktree': it works in a git worktree of its own, for agents that change the same files at the same time. { from: label }: it goes on in the worktree of an earlier agent |
| \`cwd\` | working directory, relative, below the project root |
| \`timeoutMs\`, \`stallMs\` | time limit as a whole; longest time without a sign of life |
| \`retries\` | extra tries after a failure that may pass: a number, or { max, continue }; with continue a try goes on with the conversation of the one before |
| \`backend\` | which configured backend runs it; leave it out unless the user names one |
| \`cache\` | 'auto', 'content' or 'never': whether a resume may reuse its recorded result |

An unknown option is refused by name.

\`\`\`js
export const meta = { name: 'estimate', description: 'Plan a change and estimate the work' }

const plan = await agent(\`Plan this change, step by step, with the files it touches: \${args?.change ?? 'rename the config file'}\`, {
  label: 'plan',
  effort: 'high',
  tools: ['Read', 'Grep', 'Glob'],
})
if (plan === null) return { problem: 'no plan' }
return agent(\`Estimate the work for this plan.\\n\\n\${plan}\`, {
  label: 'estimate',
  schema: {
    type: 'object',
    required: ['hours', 'risks'],
    properties: {
      hours: { type: 'number', minimum: 0, description: 'Working hours of one person' },
      risks: { type: 'array', items: { type: 'string' } },
    },
  },
})
\`\`\`

## agent.settled(prompt, options?)

The same, but tells how it ended: { status, value, cause, message, attempts, usage, lastText, lastInvalid } with status 'ok', 'failed', 'stopped' or 'skipped'. It never rejects for what became of the agent. Use it where the reason of a failure matters.

\`\`\`js
export const meta = { name: 'slow-tests', description: 'Run the slow tests and say how that ended' }

const outcome = await agent.settled('Run the slow test suite and report every failing test.', { timeoutMs: 900_000 })
if (outcome.status === 'ok') return { report: outcome.value }
log(\`no report: \${outcome.cause} after \${outcome.attempts} tries: \${outcome.message}\`)
return { report: null, cause: outcome.cause, soFar: outcome.lastText }
\`\`\`

## parallel(functions)

Calls all functions at once and waits for all; results in the order of the list. It takes functions, not promises. A function that throws gives null at its place, and the failure is recorded. At most 4096 entries; agents queue for a slot by themselves, so do not batch.

\`\`\`js
export const meta = { name: 'three-views', description: 'Ask three reviewers and combine what they say' }

const views = ['correctness', 'security', 'clarity']
const reviews = await parallel(
  views.map(view => () => agent(\`Review the uncommitted changes (git diff HEAD) for \${view} only.\`, { label: view })),
)
const texts = views.map((view, i) => \`## \${view}\\n\${reviews[i] ?? 'no answer'}\`)
return agent(\`Combine these reviews into one list without repetition, worst first.\\n\\n\${texts.join('\\n\\n')}\`, { label: 'combine' })
\`\`\`

## pipeline(items, ...stages)

Each item goes through all stages on its own: a fast item never waits for a slow one. A stage is a function (previous, item, index); in the first one previous is the item. A stage that throws makes its item null and ends its way; a stage that gets null from an agent is still called, so look at previous first. Results in the order of the items. Prefer pipeline over two parallels in a row: there is no barrier between stages.

\`\`\`js
export const meta = {
  name: 'fix-and-check',
  description: 'Fix each file in a worktree of its own, then verify the fix',
  phases: ['Fix', 'Verify'],
}

return pipeline(
  args?.files ?? ['src/index.ts'],
  file => agent(\`Fix the lint errors in \${file} and commit.\`, { label: \`fix \${file}\`, phase: 'Fix', isolation: 'worktree' }),
  (report, file) =>
    report && agent(\`Verify this fix of \${file}:\\n\\n\${report}\`, { label: \`verify \${file}\`, phase: 'Verify' }),
)
\`\`\`

## phase(title), log(...values)

\`phase\` begins a progress group for the agents called after it. \`log\` adds a line to the log of the run, which people watch: say what was found and what comes next. console.log does the same.

## workflow(name, args?)

Runs a saved workflow inside this run and gives what it returns; \`workflow({ scriptPath }, args?)\` runs a file. It shares slots, limits and budget. One level deep. An error inside arrives as ChildWorkflowError with the original as cause.

## args, budget, run

- \`args\`: the value of the launch, frozen; undefined if there was none. Allow for that: \`args?.files ?? []\`.
- \`budget\`: { total, spent(), remaining() } in output tokens; total is null and remaining() is Infinity without a limit.
- \`run\`: { id, startedAt }: startedAt is when the run was first started, in milliseconds, also after a resume. It replaces the clock: \`new Date(run.startedAt)\`.

## What the script sees when something fails

| what happened | what the script sees |
| --- | --- |
| the agent was skipped, stopped, timed out, or failed for good after its retries | null |
| no object that fits the schema, after five tries | agent() throws StructuredOutputError |
| empty prompt, unknown option or agent type, bad schema | agent() throws WorkflowInputError; nothing was spent |
| limit of agents or budget reached, run stopped | AgentLimitError, BudgetError, RunStoppedError: they pass through parallel and pipeline and usually end the run |
| the account cannot go on (quota, sign-in) | the run is paused; a resume goes on later |

Inside parallel and pipeline a thrown error costs one entry. At the top level an error that is not caught ends the run with its place in the script. A run in which some agents failed is completed and marked degraded; one in which none ended well has failed.

Limits of a run: 1000 agents in all, as many at once as there are slots (2 to 16, the others wait their turn), 4096 entries of one parallel or pipeline, 30 seconds of computing without an await.

Available besides the language: URL, URLSearchParams, TextEncoder, TextDecoder, structuredClone, atob, btoa, setTimeout, clearTimeout, queueMicrotask.`
