// Runs a check of the project, lets one agent per failing file fix it in a git worktree of its own, verifies each fix
// there with the check itself, and merges what passed, one after the other. What did not pass stays in its worktree.
//
//   tutti run examples/fix-lint.js --allow-shell --permission-mode acceptEdits
//   tutti run examples/fix-lint.js check="npx eslint" --allow-shell --permission-mode acceptEdits
//   tutti run examples/fix-lint.js check="node lint.js" --backend cli:codex --allow-shell
//
// `check` prints its complaints and exits with an error while there are any; with names of files it looks at those
// alone. The project is a git repository whose changes are committed. `tutti worktrees` shows what was left behind.
// A simulation only runs the check: files that are made up are not fixed. To try it: a repository of `lint-me`, with
// check="node lint.js".

export const meta = {
  name: 'fix-lint',
  description: 'Fix every file that a check complains about, each in its own worktree, verify and merge',
  whenToUse: 'When a linter or another check that names files complains about many of them.',
  phases: [
    { title: 'Find', detail: 'runs the check and sorts its complaints by file' },
    { title: 'Fix', detail: 'one agent per file, each in its own worktree' },
    { title: 'Verify', detail: 'the check again, on that file, in that worktree' },
    { title: 'Merge', detail: 'what passed, one after the other' },
  ],
}

const COMPLAINTS = {
  type: 'object',
  required: ['files'],
  properties: {
    files: {
      type: 'array',
      items: {
        type: 'object',
        required: ['file', 'complaints'],
        properties: {
          file: { type: 'string', description: 'Path as the check prints it' },
          complaints: { type: 'array', items: { type: 'string' }, description: 'With their lines' },
        },
      },
    },
  },
}

const FAILED = 'the-check-has-failed'
const check = args?.check ?? 'npm run --silent lint --'

const output = await runCheck('check')
if (output === '') return { merged: [], failed: [], clean: true }

const found = await agent(
  `This is what the check "${check}" of the project complains about:

${output}

Sort it by file. Leave nothing out and add nothing; do not fix anything.`,
  { label: 'find', phase: 'Find', schema: COMPLAINTS },
)
// A path that the check did not print is none of ours, and would end up in a command.
const files = (found?.files ?? []).filter(({ file }) => output.includes(file) && !file.startsWith('-'))
log(`${files.length} files to fix`)

// No barrier: a file is verified while others are still being fixed.
const results = await pipeline(files, fix, verify)
const passed = results.filter(result => result?.branch)
const merged = []
// Merges touch the one checkout: never two at a time.
for (const { file, branch } of passed) if (await merge(file, branch)) merged.push(file)

const left = await runCheck('check again')
const failed = files.map(({ file }) => file).filter(file => !merged.includes(file))
log(`${merged.length} of ${files.length} files fixed and merged`)
return { merged, failed, clean: left === '' }

/** What the check complains about. One that fails and prints nothing could not do its work: that is not clean. */
async function runCheck(label) {
  const printed = await agent(`${check} || echo ${FAILED}`, {
    agentType: 'shell',
    label,
    phase: 'Find',
    cache: 'never',
  })
  if (printed === null) throw new Error(`"${check}" could not be run; may it? See --allow-shell`)
  const complaints = printed.replace(FAILED, '').trim()
  if (complaints === '' && printed !== '')
    throw new Error(`"${check}" failed and printed nothing; say with check="…" what to run`)
  return complaints
}

/** First stage: settled, because the worktree is needed and not the text. */
function fix({ file, complaints }) {
  return agent.settled(
    `Fix ${file}. The check "${check}" complains:

${complaints.join('\n')}

Change that file only, and no more than it takes. Do not switch the check off, for a line or as a whole.`,
    { label: `fix:${file}`, phase: 'Fix', isolation: 'worktree' },
  )
}

/** Second stage: the check is the judge, not the agent. */
async function verify(fixed, { file }) {
  if (!fixed?.worktree?.branch) return { file }
  const judged = await agent.settled(`${check} ${quoted(file)}`, {
    agentType: 'shell',
    label: `verify:${file}`,
    phase: 'Verify',
    isolation: { from: fixed },
  })
  return judged.status === 'ok' ? { file, branch: fixed.worktree.branch } : { file }
}

/** False with conflicts: then nothing was changed. */
async function merge(file, branch) {
  const command = `git merge --quiet --no-ff -m ${quoted(`Fix ${file}`)} ${quoted(branch)} || { git merge --abort; exit 1; }`
  const outcome = await agent.settled(command, { agentType: 'shell', label: `merge:${file}`, phase: 'Merge' })
  return outcome.status === 'ok'
}

/** As one word of the shell. */
function quoted(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
