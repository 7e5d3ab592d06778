import type { CliProfile } from '../profile.ts'

export const opencode: CliProfile = {
  command: 'opencode',
  args: ['run', '--format', 'json', ['-m', '{model}'], ['-s', '{session}']],
  env: {
    OPENCODE_CONFIG_CONTENT: '{"mcp":{"tutti":{"type":"local","command":{mcpWords},"enabled":true}}}',
  },
  prompt: 'stdin',
  output: 'jsonl',
  events: [
    { when: { type: 'step_start' }, session: 'sessionID', turn: true },
    { when: { type: 'text' }, session: 'sessionID', text: 'part.text', whole: true },
    { when: { type: 'reasoning' }, thinking: 'part.text' },
    {
      when: { type: 'tool_use' },
      tool: { name: 'part.tool', summary: 'part.state.title' },
      toolEnd: 'part.tool',
    },
    {
      when: { type: 'step_finish' },
      usage: {
        input: 'part.tokens.input',
        output: 'part.tokens.output',
        cacheRead: 'part.tokens.cache.read',
        cacheWrite: 'part.tokens.cache.write',
        as: 'sum',
      },
      cost: 'part.cost',
    },
    { when: { type: 'step_finish', 'part.reason': 'stop' }, done: true },
    { when: { type: 'step_finish', 'part.reason': 'length' }, cause: 'context_overflow' },
    {
      when: { type: 'error' },
      error: ['error.data.message', 'error.message', 'error.name'],
      errorKind: 'error.name',
    },
  ],
  schema: 'mcp',
  maxTurns: 'counted',
  version: ['--version'],
}
