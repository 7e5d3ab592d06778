import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** The folder of all settings and runs: `CLAUDE_CONFIG_DIR`, else `~/.claude`. */
export function resolveRoot(env: NodeJS.ProcessEnv = process.env): string {
  const configured = env['CLAUDE_CONFIG_DIR']
  if (configured) return resolve(configured)
  return join(env['HOME'] || homedir(), '.claude')
}

/** Where CodeBuddy keeps its runs. */
export function resolveCodebuddyRoot(env: NodeJS.ProcessEnv = process.env): string {
  return join(env['HOME'] || homedir(), '.codebuddy')
}
