import { systemClock, systemRandom } from '@tutti/runtime'
import { EXIT } from '../exit-code.ts'
import type { Io } from '../io.ts'
import { safeLine } from '../render/text-width.ts'
import { listenForStop } from '../setup/stop-signals.ts'
import type { Terminal } from '../terminal.ts'
import { VERSION } from '../version.ts'
import { writeOut } from '../write-out.ts'
import { checkFlags } from './check-flags.ts'
import { parseFlags } from './parse-flags.ts'
import { readSessionFlags } from './read-session-flags.ts'

export interface SessionContext {
  io: Io
  terminal: Terminal
  /** Explains the command; gives the exit code. */
  help(): Promise<number>
}

/** Holds one session and resolves to the exit code. Throws UsageError before it has begun. */
export async function runSession(argv: readonly string[], context: SessionContext): Promise<number> {
  const { io, terminal, help } = context
  const flags = readSessionFlags(parseFlags(argv))
  if (flags.help) return await help()
  if (flags.version) {
    await writeOut(io.stdout, `${VERSION}\n`)
    return EXIT.completed
  }
  checkFlags(flags)
  const clock = io.clock ?? systemClock()
  const random = io.random ?? systemRandom()
  const note = (text: string): void => void io.stderr.write(`${safeLine(text)}\n`)
  for (const text of flags.notes) note(`warning ${text}`)
  using signals = listenForStop({ io, onStopping: note, onLeaving: () => {} })
  const { openSession } = await import('./open-session.ts')
  await using opened = await openSession(flags, { io, clock, random, note })
  signals.attach(
    { stop: reason => opened.session.stop(reason === 'interrupted' ? 'SIGINT' : 'SIGTERM') },
    signal => `${signal}: stopping; once more leaves at once`,
  )
  const end = await opened.session.done
  if (end.reason === 'failed') throw end.error
  const code = await opened.report(end, terminal)
  return signals.heard ? signals.exitCode : code
}
