import type { CliProfile } from '../profile.ts'

export const codex: CliProfile = {
  command: 'codex',
  args: [
    'exec',
    '--json',
    '--skip-git-repo-check',
    '-c',
    'approval_policy="never"',
    '-c',
    'sandbox_mode="{sandbox}"',
    ['--model', '{model}'],
    ['-c', 'model_reasoning_effort="{effort}"'],
    ['--output-schema', '{schemaFile}'],
    ['-c', 'mcp_servers.tutti.command="{mcpCommand}"', '-c', 'mcp_servers.tutti.args={mcpArgs}'],
    ['resume', '{session}'],
    '-',
  ],
  prompt: 'stdin',
  output: 'jsonl',
  events: [
    { when: { type: 'thread.started' }, session: 'thread_id' },
    { when: { type: 'item.completed', 'item.type': 'agent_message' }, text: 'item.text', whole: true },
    { when: { type: 'item.completed', 'item.type': 'reasoning' }, thinking: 'item.text' },
    {
      when: { type: 'item.started', 'item.type': 'command_execution' },
      tool: { name: 'item.type', summary: 'item.command' },
    },
    {
      when: { type: 'item.started', 'item.type': 'mcp_tool_call' },
      tool: { name: 'item.tool', summary: 'item.server' },
    },
    {
      when: { type: 'item.started', 'item.type': ['file_change', 'web_search'] },
      tool: { name: 'item.type' },
    },
    {
      when: {
        type: 'item.completed',
        'item.type': ['command_execution', 'mcp_tool_call', 'file_change', 'web_search'],
      },
      toolEnd: 'item.type',
    },
    {
      when: { type: 'turn.completed' },
      usage: {
        input: 'usage.input_tokens',
        output: 'usage.output_tokens',
        cacheRead: 'usage.cached_input_tokens',
        cacheWrite: 'usage.cache_write_input_tokens',
        inputHasCached: true,
        as: 'sum',
      },
      done: true,
    },
    { when: { type: 'turn.failed' }, error: 'error.message' },
    { when: { type: 'error' }, error: 'message' },
  ],
  schema: 'strict',
  version: ['--version'],
  keys: ['CODEX_API_KEY', 'OPENAI_API_KEY'],
}
