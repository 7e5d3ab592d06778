import type { UserFrame } from '@tutti/protocol'
import { createControlDesk } from './control/control-desk.ts'
import { controlHandlers, otherRequests } from './control/handlers.ts'
import { readInbound, type Inbound } from './input/inbound.ts'
import { readLines } from './input/read-lines.ts'
import { isSecondFamily, makeParts } from './make-parts.ts'
import type { Session, SessionEnd, SessionIo, SessionOptions, StopSignal } from './session-options.ts'
import type { SessionParts } from './session-parts.ts'
import { limitsOf } from './limits-line.ts'
import { createSessionLoop } from './turn/session-loop.ts'
import { keepAlive } from './output/keep-alive.ts'
import { within } from './within.ts'

/** An end waits for its last frames to be taken and its transcript to be on disk, unless they take longer. */
const FLUSH_MS = 800
/** What was asked before the input ended is answered, unless it takes longer. */
const ANSWER_MS = 3000
const EXIT_CODES: Readonly<Record<StopSignal, number>> = { SIGINT: 130, SIGTERM: 143 }

/** Begins a session: reads the host's lines, runs its turns, writes its frames. Throws nothing. */
export function createSession(io: SessionIo, options: SessionOptions): Session {
  const parts = makeParts(io, options, workflow => loop.workflowEnded(workflow))
  const { calls, host, note, outbox, clock, scrub } = parts
  const loop = createSessionLoop(parts, {
    open: io.input !== undefined,
    holdsResults: () => isSecondFamily(host, options.env),
  })
  const control = createControlDesk({
    handlers: controlHandlers(parts, loop),
    other: otherRequests(parts),
    outbox,
    clock,
    scrub,
  })
  const reading = new AbortController()
  let reason: SessionEnd['reason'] = 'ended'
  let signal: StopSignal | undefined

  const stop = (why: string): void => {
    calls.leave()
    reading.abort()
    loop.stop(why)
  }

  const take = (inbound: Inbound): void => {
    switch (inbound.kind) {
      case 'request':
        return control.request(inbound.requestId, inbound.request)
      case 'response':
        return calls.answer(inbound.requestId, inbound.response)
      case 'cancel':
        return control.cancel(inbound.requestId)
      case 'user':
        return loop.prompt(inbound.frame)
      case 'refused':
        note(`tutti: ${inbound.message}`)
        if (inbound.requestId !== undefined) control.refuse(inbound.requestId, inbound.message)
        return
      default:
    }
  }

  const read = async (input: AsyncIterable<Uint8Array>): Promise<void> => {
    await readLines(input, {
      onLine: line => take(readInbound(line)),
      room: () => outbox.room(),
      signal: reading.signal,
    })
    calls.leave()
    loop.inputEnded()
  }

  const run = async (): Promise<SessionEnd> => {
    io.output.onClosed(() => {
      if (signal === undefined) reason = 'output-closed'
      stop('nobody reads the output any more')
    })
    if (options.config.print) note(limitsOf(options.config))
    for (const prompt of io.prompts ?? []) loop.prompt(promptFrame(prompt))
    if (io.input !== undefined) void read(io.input)
    const endKeepAlive = keepAlive(outbox, clock, () => loop.busy)
    let error: unknown
    try {
      await loop.run()
    } catch (caught) {
      reason = 'failed'
      error = caught
      note(`the session failed: ${String(caught)}`)
    }
    endKeepAlive()
    await finish()
    return {
      reason,
      exitCode: signal === undefined ? (reason === 'failed' ? 1 : 0) : EXIT_CODES[signal],
      workflows: [...loop.workflows],
      ...(signal !== undefined && { signal }),
      ...(error !== undefined && { error }),
      ...(loop.lastResult !== undefined && { lastResult: loop.lastResult }),
    }
  }

  const finish = async (): Promise<void> => {
    reading.abort()
    calls.leave()
    if (reason === 'ended') await within(control.settled(), ANSWER_MS, clock)
    control.close('the session has ended')
    await within(closeAll(parts), FLUSH_MS, clock)
  }

  const done = run()
  return {
    done,
    async stop(by) {
      signal ??= by
      reason = 'signal'
      stop(`stopped by ${by}`)
      await done
    },
  }
}

async function closeAll({ options, outbox, chat }: SessionParts): Promise<void> {
  await Promise.allSettled([
    outbox.flush(),
    chat.opened?.close(),
    options.log?.flush().then(() => options.log?.close()),
  ])
}

function promptFrame(prompt: string): UserFrame {
  return { type: 'user', message: { role: 'user', content: prompt }, parent_tool_use_id: null }
}
