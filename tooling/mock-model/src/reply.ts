/** Tokens as a server reports them. */
export interface MockUsage {
  /** Cached ones not included. */
  input?: number
  output?: number
  cacheRead?: number
  /** Reported by the Anthropic wire only. */
  cacheWrite?: number
  /** Part of `output`. */
  reasoning?: number
}

/** What the server answers to one request. */
export interface MockReply {
  text?: string
  /** Comes before the text; signed on the Anthropic wire. */
  thinking?: string
  toolCalls?: MockToolCall[]
  usage?: MockUsage
  /** Reason for the end, in the words of the wire; by default what fits the content. */
  stop?: string
  /** The model that says it answered; by default the one asked for. */
  model?: string
  /** Before the headers. */
  delayMs?: number
  /** Between two pieces. */
  pieceDelayMs?: number
  /** Characters of one piece of text. Default 8. */
  pieceLength?: number
  /** Destroys the connection after so many events. */
  disconnectAfter?: number
  /** Ends the response properly, but after so many events. */
  endAfter?: number
  /** Stops sending after so many events and leaves the connection open. */
  hangAfter?: number
  /** An error instead of an answer. */
  error?: MockError
  /** An error event after so many events of the answer. */
  errorAfter?: number
}

export interface MockToolCall {
  name: string
  /** A string is sent as it is, valid JSON or not. */
  input: unknown
}

export interface MockError {
  status: number
  type?: string
  code?: string
  message?: string
  headers?: Record<string, string>
  /** Sent as it is, instead of a JSON body. */
  body?: string
}

/** The input of a tool call as text. */
export function inputText({ input }: MockToolCall): string {
  return typeof input === 'string' ? input : JSON.stringify(input)
}

/** Text in pieces; no text, no piece. */
export function pieces(text: string, length = 8): string[] {
  const found: string[] = []
  for (let at = 0; at < text.length; at += length) found.push(text.slice(at, at + length))
  return found
}
