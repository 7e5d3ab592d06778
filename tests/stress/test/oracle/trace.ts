import type { JsonValue } from '@tutti/protocol'

/** What a script logged about itself, in its own order. `id` is of a call or timer. */
export type TraceEvent =
  | { type: 'issued'; id: string; path: string; prompt: string; options: CallOptions }
  | { type: 'timer'; id: string; path: string }
  | { type: 'cleared'; id: string }
  /** A child: what comes in for it from now on, nobody sees. */
  | { type: 'ended'; path: string }
  | { type: 'delivered'; id: string; value: JsonValue | undefined }

export interface CallOptions {
  label: string
  cache?: 'content' | 'never'
  schema?: JsonValue
  nonsense?: boolean
}

export type RawEvent =
  | ['i', id: string, path: string, prompt: string, options: CallOptions]
  | ['t', id: string, path: string]
  | ['c', id: string]
  | ['e', path: string]
  | ['d', id: string, value?: JsonValue]

/** Reads what a rendered script told. */
export function parseEvent(raw: RawEvent): TraceEvent {
  switch (raw[0]) {
    case 'i':
      return { type: 'issued', id: raw[1], path: raw[2], prompt: raw[3], options: raw[4] }
    case 't':
      return { type: 'timer', id: raw[1], path: raw[2] }
    case 'c':
      return { type: 'cleared', id: raw[1] }
    case 'e':
      return { type: 'ended', path: raw[1] }
    case 'd':
      return { type: 'delivered', id: raw[1], value: raw[2] }
  }
}
