import type { JsonObject } from '@tutti/protocol'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** Diagnostics of the runtime itself; the lines a script logs go to the run. */
export interface Logger {
  log(level: LogLevel, message: string, data?: JsonObject): void
}
