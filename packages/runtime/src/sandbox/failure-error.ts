import { SandboxError, ScriptMemoryError, ScriptTimeoutError } from '../errors/errors.ts'
import type { FailureMessage } from './messages.ts'
import type { SandboxOptions } from './types.ts'

/** The error of a run whose script engine could not go on. */
export function failureError(
  failure: FailureMessage,
  options: Pick<SandboxOptions, 'scriptCpuMs' | 'scriptMemoryMiB'>,
): Error {
  const { kind, message, place } = failure
  switch (kind) {
    case 'timeout':
      return timeoutError(options.scriptCpuMs, place)
    case 'stuck':
      return new ScriptTimeoutError(
        `The script was stuck inside one built-in operation for far longer than ${options.scriptCpuMs} ms.`,
        { hint: 'Look for work on a very large array or string, or raise the limit scriptCpuMs.' },
      )
    case 'memory':
      return new ScriptMemoryError(`The script used more than ${options.scriptMemoryMiB} MiB of memory.`, {
        hint: 'Keep less in variables, or raise the limit scriptMemoryMiB.',
      })
    case 'unopened':
      return new SandboxError('The thread of the script engine did not start in time.', {
        hint: 'The machine may be overloaded; try again.',
      })
    case 'crash':
      return new SandboxError(`The script engine failed: ${message ?? 'no reason given'}`, {
        hint: 'The run can be resumed; finished agents are not paid for again.',
      })
  }
}

function timeoutError(scriptCpuMs: number, place: string | undefined): ScriptTimeoutError {
  const where = place === undefined ? '' : `, last seen at ${place}`
  const error = new ScriptTimeoutError(
    `The script used up its ${scriptCpuMs} ms (scriptCpuMs, counted in steps of the engine) without waiting for anything${where}.`,
    { hint: 'Look for a loop that does not end, give the work to an agent, or raise the limit scriptCpuMs.' },
  )
  return place === undefined ? error : Object.assign(error, { scriptStack: `at ${place}` })
}
