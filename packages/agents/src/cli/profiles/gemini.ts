import type { JsonValue } from '@tutti/protocol'
import type { CliProfile, EventRule } from '../profile.ts'

/** Settings of the system are read whatever folder it is run in. */
export const SETTINGS: JsonValue = {
  mcpServers: { tutti: { command: '{mcpCommand}', args: '{mcpArgs}', trust: true } },
}

/** Events of `-o stream-json`. */
const EVENTS: EventRule[] = [
  { when: { type: 'init' }, session: 'session_id', model: 'model' },
  { when: { type: 'message', role: 'assistant', delta: true }, text: 'content' },
  { when: { type: 'message', role: 'assistant', delta: [false, null] }, text: 'content', whole: true },
  { when: { type: 'tool_use' }, tool: { name: 'tool_name', summary: 'parameters' } },
  { when: { type: 'tool_result' }, toolEnd: 'tool_id' },
  { when: { type: 'error', severity: ['error', null] }, error: 'message' },
  {
    when: { type: 'result' },
    usage: {
      input: 'stats.input_tokens',
      output: 'stats.output_tokens',
      cacheRead: 'stats.cached',
      inputHasCached: true,
      as: 'total',
    },
  },
  { when: { type: 'result', status: 'error' }, error: 'error.message', errorKind: 'error.type' },
  { when: { type: 'result', status: 'success' }, done: true },
]

export const gemini: CliProfile = {
  command: 'gemini',
  args: [
    '-o',
    'stream-json',
    '--approval-mode',
    'auto_edit',
    '--skip-trust',
    ['-m', '{model}'],
    ['--resume', '{session}'],
  ],
  files: { settingsFile: SETTINGS },
  env: { GEMINI_CLI_SYSTEM_SETTINGS_PATH: '{settingsFile}' },
  prompt: 'stdin',
  output: 'jsonl',
  events: EVENTS,
  schema: 'mcp',
  exitCodes: { '41': 'auth', '42': 'invalid_request', '53': 'max_turns' },
  version: ['--version'],
  keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
}
