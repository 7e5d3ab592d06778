import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { anthropicErrorBody, anthropicErrorEvent, anthropicEvents } from './anthropic.ts'
import { googleErrorBody, googleErrorEvent, googleEvents } from './google.ts'
import { openaiErrorBody, openaiErrorEvent, openaiEvents } from './openai.ts'
import { responsesErrorEvent, responsesEvents } from './responses.ts'
import type { MockError, MockReply } from './reply.ts'

type Ending = 'answered' | 'closed by client' | 'dropped'

/** A request as it came in. */
export interface MockRequest {
  /** From 0. */
  n: number
  /** `responses`: the newer one of OpenAI. */
  wire: 'anthropic' | 'openai' | 'responses' | 'google'
  path: string
  headers: IncomingMessage['headers']
  body: Record<string, unknown>
  /** How its connection ended. */
  ended: Promise<Ending>
}

export interface MockModelOptions {
  /** One answer per request in order, or made from the request. A request beyond the list gets status 500. */
  replies: MockReply[] | ((request: MockRequest) => MockReply)
  /** Default 0: one that is free. */
  port?: number
  /** Default true: `requests` has everything that was asked. */
  keepRequests?: boolean
}

/** A running server. All wires share one list of answers. */
export interface MockModel extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`. */
  url: string
  /** Everything that was asked, in order. */
  requests: MockRequest[]
  close(): Promise<void>
}

/** Starts a server that only this machine reaches. */
export async function startMockModel(options: MockModelOptions): Promise<MockModel> {
  const { replies, port: wanted = 0, keepRequests = true } = options
  let asked = 0
  const requests: MockRequest[] = []
  const server = createServer((request, response) => {
    void receive(request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    )
  })

  async function receive(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body: unknown = JSON.parse((await textOf(incoming)) || '{}')
    const wire = wireOf(incoming.url ?? '')
    if (!wire) return void response.writeHead(404).end()
    let end: (how: Ending) => void = () => {}
    const ended = new Promise<Ending>(resolve => (end = resolve))
    const n = asked++
    const request: MockRequest = {
      n,
      wire,
      path: incoming.url ?? '',
      headers: incoming.headers,
      body: body as Record<string, unknown>,
      ended,
    }
    if (keepRequests) requests.push(request)
    const gone = new AbortController()
    let dropped = false
    response.once('close', () => {
      gone.abort()
      end(response.writableFinished ? 'answered' : dropped ? 'dropped' : 'closed by client')
    })
    const reply = typeof replies === 'function' ? replies(request) : (replies[n] ?? NO_REPLY)
    const drop = (): void => {
      dropped = true
      response.destroy()
    }
    await answer(request, reply, { response, signal: gone.signal, drop })
  }

  server.listen(wanted, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
  return { url: `http://127.0.0.1:${port}`, requests, close, [Symbol.asyncDispose]: close }
}

const NO_REPLY: MockReply = { error: { status: 500, message: 'the test has no answer left' } }

interface Line {
  response: ServerResponse
  /** Aborted when the connection is gone. */
  signal: AbortSignal
  drop(): void
}

interface Wire {
  events(reply: MockReply, model: string, id: number): string[]
  errorBody(error: MockError): string
  errorEvent(error: MockError): string
}

const WIRES: Record<MockRequest['wire'], Wire> = {
  anthropic: { events: anthropicEvents, errorBody: anthropicErrorBody, errorEvent: anthropicErrorEvent },
  openai: { events: openaiEvents, errorBody: openaiErrorBody, errorEvent: openaiErrorEvent },
  responses: { events: responsesEvents, errorBody: openaiErrorBody, errorEvent: responsesErrorEvent },
  google: { events: googleEvents, errorBody: googleErrorBody, errorEvent: googleErrorEvent },
}

async function answer(
  request: MockRequest,
  reply: MockReply,
  { response, signal, drop }: Line,
): Promise<void> {
  const wire = WIRES[request.wire]
  await pause(reply.delayMs, signal)
  if (reply.error && reply.errorAfter === undefined) {
    const { status, headers = {}, body } = reply.error
    const text = body ?? wire.errorBody(reply.error)
    return void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
  }
  const named = /models\/([^:]+):/.exec(request.path)?.[1]
  const model = named ?? String(request.body.model)
  const events = wire.events(reply, model, request.n + 1)
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  for (const [i, event] of events.entries()) {
    if (signal.aborted || i === reply.hangAfter) return
    if (i === reply.disconnectAfter) return drop()
    if (i === reply.endAfter) break
    if (i === reply.errorAfter && reply.error) {
      response.write(wire.errorEvent(reply.error))
      break
    }
    response.write(event)
    await pause(reply.pieceDelayMs ?? (reply.disconnectAfter === undefined ? 0 : 5), signal)
  }
  response.end()
}

function wireOf(url: string): MockRequest['wire'] | undefined {
  const path = url.split('?')[0] ?? ''
  if (path.endsWith('/messages')) return 'anthropic'
  if (path.endsWith('/responses')) return 'responses'
  if (path.endsWith(':streamGenerateContent')) return 'google'
  return path.endsWith('/chat/completions') ? 'openai' : undefined
}

async function pause(ms: number | undefined, signal: AbortSignal): Promise<void> {
  if (ms) await sleep(ms, undefined, { signal }).catch(() => {})
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
