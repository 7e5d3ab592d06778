import type { RunEnd } from '@tutti/runtime'
import type { SessionEnd } from '@tutti/session'
import { EXIT, exitCodeOf } from '../exit-code.ts'

/**
 * What a session that showed only its result exits with: as `tutti run` does. What came last of each workflow counts,
 * the worst of all.
 */
export function exitCodeOfSession({ reason, exitCode, lastResult, workflows }: SessionEnd): number {
  if (reason === 'signal') return exitCode
  if (lastResult === undefined || lastResult.is_error) return EXIT.failed
  const codes = [...lastAttempts(workflows).values()].map(end => exitCodeOf(end, EXIT.failed))
  return [EXIT.failed, EXIT.paused, EXIT.degraded].find(code => codes.includes(code)) ?? EXIT.completed
}

/** A workflow that was resumed in the session ended as its last attempt did. */
function lastAttempts(workflows: readonly RunEnd[]): Map<string, RunEnd> {
  return new Map(workflows.map(end => [end.runId, end]))
}
