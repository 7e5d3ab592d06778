import type { CliProfile } from '../profile.ts'
import { STREAM_JSON } from './claude.ts'

export const qwen: CliProfile = {
  command: 'qwen',
  args: [
    '--output-format',
    'stream-json',
    '--approval-mode',
    'auto-edit',
    ['-m', '{model}'],
    ['--json-schema', '{schema}'],
    ['--max-session-turns', '{maxTurns}'],
    ['--resume', '{session}'],
  ],
  prompt: 'stdin',
  output: 'jsonl',
  events: STREAM_JSON,
  schema: 'native',
  maxTurns: 'own',
  exitCodes: { '41': 'auth', '42': 'invalid_request', '53': 'max_turns' },
  version: ['--version'],
  keys: ['OPENAI_API_KEY', 'DASHSCOPE_API_KEY'],
}
