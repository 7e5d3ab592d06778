import { Readable, Transform, Writable } from 'node:stream'
import {
  client,
  methods,
  ndJsonStream,
  type ClientConnection,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from '@agentclientprotocol/sdk'
import type { AgentProcess } from '../cli/agent-process.ts'

export interface ConnectOptions {
  process: AgentProcess
  onUpdate(update: SessionUpdate): void
  onPermission(request: RequestPermissionRequest): Promise<RequestPermissionResponse>
}

export interface Connected {
  connection: ClientConnection
  /** The first line that was no message. */
  garbage(): string | undefined
}

const GARBAGE = 300
const LONGEST_LINE = 32 * 1024 * 1024

/** Speaks the protocol over the standard streams of a process. Lines that are no messages are left out. */
export function connectAgent({ process, onUpdate, onPermission }: ConnectOptions): Connected {
  let garbage: string | undefined
  const messages = process.streams.stdout.pipe(linesOfJson(line => (garbage ??= line.slice(0, GARBAGE))))
  const app = client({ name: 'tutti' })
    .onRequest(methods.client.session.requestPermission, ({ params }) => onPermission(params))
    .onNotification(methods.client.session.update, ({ params }) => onUpdate(params.update))
  const connection = app.connect(
    ndJsonStream(
      Writable.toWeb(process.streams.stdin) as WritableStream<Uint8Array>,
      Readable.toWeb(messages) as ReadableStream<Uint8Array>,
    ),
  )
  return { connection, garbage: () => garbage }
}

/** Products print notes between messages now and then. A message is an object, alone on its line. */
function linesOfJson(onOther: (line: string) => void): Transform {
  let rest = Buffer.alloc(0)
  const take = (line: Buffer): Buffer[] => {
    const text = line.toString('utf8').trim()
    if (text.startsWith('{') && text.endsWith('}')) return [line, NEWLINE]
    if (text !== '') onOther(text)
    return []
  }
  return new Transform({
    transform(chunk: Buffer, _, done) {
      const kept: Buffer[] = []
      let from = 0
      const all = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      for (let at = all.indexOf(10); at >= 0; at = all.indexOf(10, from)) {
        kept.push(...take(all.subarray(from, at)))
        from = at + 1
      }
      rest = Buffer.from(all.subarray(from))
      if (rest.length > LONGEST_LINE) return done(new Error('the agent sent a message of more than 32 MiB'))
      done(null, Buffer.concat(kept))
    },
    flush(done) {
      done(null, Buffer.concat(take(rest)))
    },
  })
}

const NEWLINE = Buffer.from('\n')
