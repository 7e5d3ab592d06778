import type { CliProfile } from '../profile.ts'
import { claude } from './claude.ts'
import { codebuddy } from './codebuddy.ts'
import { codex } from './codex.ts'
import { gemini } from './gemini.ts'
import { opencode } from './opencode.ts'
import { qwen } from './qwen.ts'

/** For commands without a profile: the prompt comes in, the final text goes out. */
export const PLAIN: CliProfile = { command: '', args: [], prompt: 'stdin', output: 'text', schema: 'text' }

/** The products that are known, in the order in which one is looked for. */
export const PROFILES: Readonly<Record<string, CliProfile>> = {
  claude,
  codex,
  gemini,
  qwen,
  opencode,
  codebuddy,
}
