import type { CliProfile, EventRule } from '../profile.ts'

const CONTENT: EventRule[] = [
  { when: { type: 'text' }, text: 'text', whole: true },
  { when: { type: 'thinking' }, thinking: 'thinking' },
  { when: { type: 'tool_use' }, tool: { name: 'name', summary: 'input' } },
]

/** Events of `--output-format stream-json`, which several products share. */
export const STREAM_JSON: EventRule[] = [
  { when: { type: 'system', subtype: 'init' }, session: 'session_id', model: 'model' },
  { when: { type: 'assistant' }, turn: true, each: { path: 'message.content', rules: CONTENT } },
  {
    when: { type: 'user' },
    each: { path: 'message.content', rules: [{ when: { type: 'tool_result' }, toolEnd: 'tool_use_id' }] },
  },
  {
    when: { type: 'result' },
    session: 'session_id',
    object: 'structured_output',
    cost: 'total_cost_usd',
    usage: {
      input: 'usage.input_tokens',
      output: 'usage.output_tokens',
      cacheRead: 'usage.cache_read_input_tokens',
      cacheWrite: 'usage.cache_creation_input_tokens',
      as: 'total',
    },
  },
  { when: { type: 'result', subtype: 'error_max_turns' }, error: ['result', 'subtype'], cause: 'max_turns' },
  {
    when: { type: 'result', subtype: 'error_max_structured_output_retries' },
    error: ['result', 'subtype'],
    cause: 'schema_rejected',
  },
  {
    when: { type: 'result', is_error: true },
    error: ['result', 'errors.0', 'subtype'],
    errorKind: 'subtype',
  },
  { when: { type: 'result', subtype: 'success', is_error: false }, final: 'result', done: true },
]

export const claude: CliProfile = {
  command: 'claude',
  args: [
    '-p',
    '--output-format',
    'stream-json',
    '--verbose',
    '--permission-mode',
    'acceptEdits',
    ['--model', '{model}'],
    ['--append-system-prompt', '{system}'],
    ['--json-schema', '{schema}'],
    ['--max-turns', '{maxTurns}'],
    ['--resume', '{session}'],
    ['--tools', '{tools}'],
    ['--allowedTools', '{allow}'],
    ['--disallowedTools', '{deny}'],
  ],
  prompt: 'stdin',
  output: 'jsonl',
  events: STREAM_JSON,
  schema: 'native',
  maxTurns: 'own',
  typeModels: true,
  version: ['--version'],
  keys: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
}
