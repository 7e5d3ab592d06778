import { withoutRepository } from '../worktree/git.ts'

/** With these a product would take itself for a part of another session. */
const SESSION_MARKS = /^(CLAUDECODE|CLAUDE_CODE_(ENTRYPOINT|SSE_PORT|SESSION_ID)|CODEX_SANDBOX.*)$/

/** What a product's command is given: everything, for it brings its own keys, but nothing about where we are. */
export function agentEnvironment(
  env: Record<string, string | undefined>,
  cwd: string,
): Record<string, string> {
  const given: Record<string, string> = {}
  for (const [name, value] of Object.entries(withoutRepository(env)))
    if (value !== undefined && !SESSION_MARKS.test(name)) given[name] = value
  return { ...given, NO_COLOR: '1', PWD: cwd }
}
