export const GUIDE_BASICS: string = `# Writing a workflow script

A workflow is one plain JavaScript file that coordinates agents. The script decides which agents work on what, in which order, and what becomes of their results; the agents read files, run commands and write code. A script is fully repeatable: with the same args and the same agent results it does the same again. That is what makes a run resumable without paying twice.

## Shape

\`\`\`js
export const meta = {
  name: 'audit-routes',
  description: 'Find the routes of a web application and audit each of them',
  whenToUse: 'Before a release, or when routes were added.',
  phases: [{ title: 'Find', detail: 'one agent lists the files' }, { title: 'Audit' }],
}

phase('Find')
const found = await agent('List the files that define HTTP routes in this repository.', {
  label: 'find routes',
  schema: {
    type: 'object',
    required: ['files'],
    properties: { files: { type: 'array', items: { type: 'string' } } },
  },
})
if (found === null) return { audits: [], problem: 'the files could not be listed' }

phase('Audit')
const audits = await parallel(
  found.files.map(file => () => agent(\`Audit the HTTP routes in \${file} for missing permission checks.\`, { label: file })),
)
return { audits: audits.filter(audit => audit !== null) }
\`\`\`

- \`export const meta = {…}\` is the first statement. It is read without running the script, so it is written out: strings, numbers, booleans, null, arrays and objects of these. No variables, calls, spreads, computed keys, or templates with \${}.
- Everything after it is the body of one async function in strict mode: \`await\` and \`return\` at the top level. The returned value is the result; it must be something that JSON can hold. Return data that is worth reading: the result is what you are shown at the end.
- ECMAScript 2023. No TypeScript, no import, no export but meta.

| field of meta | |
| --- | --- |
| \`name\` | required; 1 to 64 of A-Z a-z 0-9 . _ - |
| \`description\` | required; one line |
| \`whenToUse\` | optional; shown in lists |
| \`phases\` | optional; titles, or { title, detail?, model? }: progress groups in order. \`model\` is the default of that phase's agents |
| \`model\` | optional; default model of all agents |
| \`args\` | optional; a JSON Schema that args is checked against before the run starts |`
