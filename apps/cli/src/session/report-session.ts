import type { JsonValue, ResultFrame } from '@tutti/protocol'
import type { SessionEnd } from '@tutti/session'
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
  if (flags.outputFormat === 'json')
    await writeOut(io.stdout, result === undefined ? '' : `${JSON.stringify(result)}\n`)
  else if (result?.is_error === true) terminal.error(failureOf(result))
  else await writeOut(io.stdout, resultText(answerOf(end), io.stdout.isTTY === true))
  return exitCodeOfSession(end)
}

/** Where no model said anything, the workflow did: its value is worth more than a line about it. */
function answerOf({ lastResult: result, workflows }: SessionEnd): JsonValue | undefined {
  const value = result?.num_turns === 0 ? workflows.at(-1)?.value : undefined
  return value ?? result?.structured_output ?? result?.result
}

function failureOf({ errors = [], result, subtype }: ResultFrame): Error {
  const message = errors.length > 0 ? errors.join('\n') : (result ?? subtype)
  return Object.assign(new Error(message), { code: SESSION_FAILED })
}
