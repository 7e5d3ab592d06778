export const GUIDE_MISTAKES: string = `## Determinism

A resumed run goes through the script again from its first line and takes recorded results where the inputs are the same. So nothing in a script may depend on the moment or on chance.

| not available | instead |
| --- | --- |
| Date.now(), new Date() and Date() without arguments, performance | run.startedAt, or a time in args |
| Math.random(), crypto | an index in the prompt, or a seed in args |
| import, import(), require | one file; agents for what needs a package |
| fetch, process, Buffer, files, a shell | agents, and args |
| eval, Function, setInterval | none; a loop with await |

An agent runs again on a resume when its prompt or one of its options changed; labels, phases and time limits do not count. It also runs again when an agent before it was run anew and may have changed something, as tests after an edit must; \`cache: 'content'\` keeps its result all the same, and is right for work that only reads. Keep prompts free of what changes by accident, such as the order of answers that came in at different times: build them from results in the order of the input.

## Common mistakes

| mistake | right |
| --- | --- |
| \`parallel(files.map(file => agent(…)))\`: promises, already begun | \`parallel(files.map(file => () => agent(…)))\` |
| \`agent(…)\` without await or return | await it, or hand it to parallel as a function |
| reading \`found.files\` when found may be null | \`found?.files ?? []\`, or return early |
| taking apart free text with regular expressions | a schema |
| a schema whose root is an array | \`type: 'object'\` with the array as a property |
| "look at the file we discussed" in a prompt | the path, the context and the question, written out |
| one agent for a list of fifty files | one agent for each file |
| two parallels in a row where items do not need each other | one pipeline |
| trusting what one agent found | a second one that tries to refute it |
| an endless loop | a bound, and an early end |
| agents that edit the same files at once | \`isolation: 'worktree'\`, or one after the other |
| \`meta\` with a variable or a template with \${} in it | literals only |
| TypeScript: \`const x: string\`, \`as\`, \`interface\` | plain JavaScript |
| results cut short without a word | \`log\` what was left out |

## Afterwards

The launch names the script file. To change a running or ended workflow: stop it if it runs (TaskStop), edit that file, then call Workflow with its scriptPath and resumeFromRunId. Agents whose inputs did not change keep their results. A script that proved itself can be saved as .claude/workflows/<name>.js; then {"name": "<name>"} and /<name> start it.`
