import type { CliProfile } from '../profile.ts'
import { STREAM_JSON } from './claude.ts'

export const codebuddy: CliProfile = {
  command: 'codebuddy',
  args: [
    '-p',
    '--output-format',
    'stream-json',
    '--permission-mode',
    'acceptEdits',
    ['--model', '{model}'],
    ['--append-system-prompt', '{system}'],
    ['--max-turns', '{maxTurns}'],
    ['--mcp-config', '{mcpFile}'],
    ['--resume', '{session}'],
    ['--allowedTools', '{allow}'],
    ['--disallowedTools', '{deny}'],
  ],
  prompt: 'stdin',
  output: 'jsonl',
  events: STREAM_JSON,
  schema: 'mcp',
  maxTurns: 'own',
  typeModels: true,
  version: ['--version'],
  keys: ['CODEBUDDY_API_KEY', 'CODEBUDDY_AUTH_TOKEN'],
}
