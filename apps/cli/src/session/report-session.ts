import type { JsonValue, ResultFrame } from '@tutti/protocol'
import type { RunEnd } from '@tutti/runtime'
import { runSummary, type SessionEnd } from '@tutti/session'
import type { Io } from '../io.ts'
import { resultText } from '../render/result-text.ts'
import type { Terminal } from '../terminal.ts'
import { SESSION_FAILED } from '../usage-error.ts'
import { writeOut } from '../write-out.ts'
import { exitCodeOfSession } from './session-exit.ts'
import type { SessionFlags } from './session-flags.ts'

export interface ReportOptions {
  flags: SessionFlags
  io: Io
  terminal: Terminal
}

/** Shows the end of a session in the output format that was asked for; gives the exit code. */
export async function reportSession(
  end: SessionEnd,
  { flags, io, terminal }: ReportOptions,
): Promise<number> {
  const { lastResult: result } = end
  if (flags.outputFormat === 'stream-json') return end.exitCode
  const code = exitCodeOfSession(end)
  if (result === undefined) return code
  // Where no model said anything, the workflow did.
  const run = result.num_turns === 0 ? end.workflows.at(-1) : undefined
  if (flags.outputFormat === 'json') await writeOut(io.stdout, `${JSON.stringify(result)}\n`)
  else if (run !== undefined && run.status !== 'completed') terminal.error(failure(runSummary(run.record)))
  else if (result.is_error) terminal.error(failureOf(result))
  else await writeOut(io.stdout, resultText(answerOf(result, run), io.stdout.isTTY === true))
  return code
}

/** The value of a workflow is worth more than a line about it. */
function answerOf(result: ResultFrame, run: RunEnd | undefined): JsonValue | undefined {
  return run?.value ?? result.structured_output ?? result.result
}

function failure(message: string): Error {
  return Object.assign(new Error(message), { code: SESSION_FAILED })
}

function failureOf({ errors = [], result, subtype }: ResultFrame): Error {
  const message = errors.length > 0 ? errors.join('\n') : (result ?? subtype)
  return failure(message)
}
