export const GUIDE_PATTERNS: string = `## Patterns

### Fan out, verify, put together

Findings of an agent are claims. Let another one try to refute each, and keep what survives.

\`\`\`js
export const meta = {
  name: 'find-bugs',
  description: 'Look for bugs from several angles and keep those that survive a sceptic',
  phases: [{ title: 'Find' }, { title: 'Verify' }, { title: 'Report' }],
}

const BUGS = {
  type: 'object',
  required: ['bugs'],
  properties: {
    bugs: {
      type: 'array',
      items: {
        type: 'object',
        required: ['title', 'file', 'why'],
        properties: {
          title: { type: 'string', description: 'At most ten words' },
          file: { type: 'string', description: 'Path and line' },
          why: { type: 'string', description: 'Which input goes wrong, and how' },
        },
      },
    },
  },
}
const VERDICT = {
  type: 'object',
  required: ['real', 'reason'],
  properties: { real: { type: 'boolean' }, reason: { type: 'string' } },
}

const angles = args?.angles ?? ['error handling', 'concurrency', 'untrusted input']
const checked = await pipeline(
  angles,
  angle =>
    agent(\`Look for real bugs in this repository, only about: \${angle}. Read the code; an empty list is a good answer.\`, {
      label: \`find \${angle}\`,
      phase: 'Find',
      schema: BUGS,
    }),
  result =>
    parallel(
      (result?.bugs ?? []).map(bug => async () => {
        const verdict = await agent(
          \`Somebody claims this bug. Try to refute it; in doubt it is not real.\\n\${bug.title}\\n\${bug.file}\\n\${bug.why}\`,
          { label: \`verify \${bug.title}\`, phase: 'Verify', schema: VERDICT },
        )
        return verdict?.real ? { ...bug, reason: verdict.reason } : null
      }),
    ),
)
const bugs = checked.flat().filter(bug => bug)
log(\`\${bugs.length} bugs survived\`)
if (bugs.length === 0) return { bugs, report: 'Nothing was found.' }
const report = await agent(\`Write a report about these bugs, worst first:\\n\${JSON.stringify(bugs, null, 2)}\`, {
  label: 'report',
  phase: 'Report',
})
return { bugs, report }
\`\`\`

### Find out what there is to do, then do it

\`\`\`js
export const meta = { name: 'migrate', description: 'Migrate every call of an old API', phases: ['Scan', 'Migrate'] }

const scan = await agent(\`List every file that still calls \${args?.api ?? 'oldFetch'}().\`, {
  label: 'scan',
  phase: 'Scan',
  tools: ['Grep', 'Glob', 'Read'],
  schema: { type: 'object', required: ['files'], properties: { files: { type: 'array', items: { type: 'string' } } } },
})
const files = [...new Set(scan?.files ?? [])]
log(\`\${files.length} files\`)
const reports = await parallel(
  files.map(file => () => agent(\`Migrate \${file} to the new API and run its tests.\`, { label: file, phase: 'Migrate' })),
)
return files.map((file, i) => ({ file, report: reports[i] }))
\`\`\`

### Until nothing new turns up

A loop needs a bound, a condition that ends it early, and the index in the prompt or the label, so that rounds differ.

\`\`\`js
export const meta = { name: 'until-dry', description: 'Look for problems until a round finds nothing new' }

const known = new Map()
for (let round = 1; round <= 8; round++) {
  const found = await agent(
    \`Round \${round}. Find problems in the documentation that are not in this list:\\n\${[...known.keys()].join('\\n') || '(empty)'}\`,
    {
      label: \`round \${round}\`,
      schema: {
        type: 'object',
        required: ['problems'],
        properties: { problems: { type: 'array', items: { type: 'string' } } },
      },
    },
  )
  const fresh = (found?.problems ?? []).filter(problem => !known.has(problem))
  if (fresh.length === 0) break
  for (const problem of fresh) known.set(problem, round)
  log(\`round \${round}: \${fresh.length} new, \${known.size} in all\`)
}
return [...known.keys()]
\`\`\`

### Within a budget

\`\`\`js
export const meta = { name: 'within-budget', description: 'Research questions one by one while the budget lasts' }

const questions = args?.questions ?? ['What does this project do?']
const answers = []
for (const question of questions) {
  if (budget.remaining() < 20_000) {
    log(\`stopped after \${answers.length} of \${questions.length}: \${budget.spent()} tokens spent\`)
    break
  }
  answers.push({ question, answer: await agent(\`Research and answer: \${question}\`, { label: question }) })
}
return answers
\`\`\`

### Several candidates, one judge

\`\`\`js
export const meta = { name: 'best-of', description: 'Three independent designs, one judge' }

const task = args?.task ?? 'a cache for the settings'
const designs = await parallel(
  [1, 2, 3].map(n => () => agent(\`Design \${task}. You are designer \${n} of 3: find an approach of your own.\`, { label: \`design \${n}\` })),
)
const good = designs.filter(design => design !== null)
if (good.length === 0) throw new Error('no design was finished')
const choice = await agent(
  \`Choose the best of these designs for \${task}, by its index from 0.\\n\\n\${good.map((design, i) => \`# \${i}\\n\${design}\`).join('\\n\\n')}\`,
  {
    label: 'judge',
    schema: {
      type: 'object',
      required: ['index', 'reason'],
      properties: { index: { type: 'integer', minimum: 0, maximum: 2 }, reason: { type: 'string' } },
    },
  },
)
return { design: good[choice?.index ?? 0] ?? good[0], reason: choice?.reason ?? null }
\`\`\`

### When the reason of a failure matters

\`\`\`js
export const meta = { name: 'retry-shorter', description: 'Summarise; give what did not fit to a second, narrower agent' }

const parts = args?.parts ?? ['docs', 'src']
const outcomes = await parallel(
  parts.map(part => () => agent.settled(\`Summarise everything in \${part}.\`, { label: part, timeoutMs: 300_000 })),
)
const summaries = await parallel(
  parts.map((part, i) => async () => {
    const outcome = outcomes[i]
    if (outcome?.status === 'ok') return outcome.value
    log(\`\${part}: \${outcome?.cause}\`)
    return agent(\`Summarise only the three most important files in \${part}.\`, { label: \`\${part}, shorter\` })
  }),
)
return Object.fromEntries(parts.map((part, i) => [part, summaries[i]]))
\`\`\``
