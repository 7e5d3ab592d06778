import { isObject } from '../case/shape.ts'
import type { Command } from './command.ts'
import type { Complaint } from './outcome.ts'

/** What a command that started no run said about it: the error as JSON where there is one, else its words. */
export function refusalOf(command: Pick<Command, 'stdout' | 'stderr'>): Complaint {
  const lines = [...command.stdout().split('\n'), ...command.stderr().split('\n')]
  for (const text of [command.stdout(), ...lines]) {
    const error = errorIn(text)
    if (error) return error
  }
  const message = command.stderr().trim()
  const code = /\b([a-z]+(?:-[a-z]+)+)\b(?=[\]):]|$)/m.exec(message)?.[1]
  return code === undefined ? { message } : { code, message }
}

function errorIn(text: string): Complaint | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const error = isObject(value) && isObject(value['error']) ? value['error'] : value
    if (!isObject(error) || typeof error['code'] !== 'string') return undefined
    return { code: error['code'], message: String(error['message']) }
  } catch {
    return undefined
  }
}
