// A program with one built-in agent, which waits to be killed: orphan-parent.mjs <bundle> <url> <folder>.
const [bundle, url, projectRoot] = process.argv.slice(2)
const { createBackends } = await import(bundle)
const env = {
  ...process.env,
  ANTHROPIC_API_KEY: 'sk-of-the-test',
  ANTHROPIC_BASE_URL: url,
  ANTHROPIC_MODEL: 'm',
}
const settings = { permissions: { allow: ['Bash'] } }
const backend = await createBackends({ env, projectRoot, settings }).model.load()
const call = {
  runId: 'wf_00000000-000',
  key: 'v2:key',
  n: 1,
  index: 1,
  attempt: 1,
  transcriptId: 'a0000000000000001',
  prompt: 'Work.',
  label: 'work',
  agentType: { name: 'workflow-subagent', source: 'built-in' },
  ...(process.argv[5] === 'worktree' && { isolation: 'worktree' }),
}
const context = { signal: new AbortController().signal, transcript: () => {} }
await backend.start(call, context).result
