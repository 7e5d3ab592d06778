import type { JsonValue, SerializedError } from '@tutti/protocol'

/** Why an attempt's script no longer goes on. */
export type Ending =
  | { kind: 'returned'; value: JsonValue | undefined; resultError?: string }
  | { kind: 'failed'; error: SerializedError }
  | { kind: 'paused' }
  | { kind: 'stopped' }
  /** Nothing more can be written. */
  | { kind: 'lost'; error: SerializedError }
