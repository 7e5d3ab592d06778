import { isUtf8 } from 'node:buffer'
import type { JournalEntry, JournalLine, JournalStamp } from '@tutti/protocol'

/** What a line of a journal is. */
export type DecodedLine =
  | { kind: 'known'; line: JournalLine }
  /** Of a type that this version does not know. */
  | { kind: 'unknown'; stamp: JournalStamp }
  | { kind: 'damaged'; reason: string }

type FieldKind = 'string' | 'number' | 'object' | 'present'

/** What a line needs so that those who replay it can rely on its shape; more may be there. */
const REQUIRED: Record<JournalEntry['type'], Record<string, FieldKind>> = {
  launched: {
    runId: 'string',
    name: 'string',
    scriptHash: 'string',
    startedAt: 'number',
    limits: 'object',
    engine: 'string',
    schemaVersion: 'number',
  },
  started: {
    key: 'string',
    n: 'number',
    index: 'number',
    transcriptId: 'string',
    label: 'string',
    call: 'present',
  },
  result: {
    key: 'string',
    n: 'number',
    usage: 'object',
    tries: 'number',
    effects: 'string',
    endedAt: 'number',
  },
  failed: {
    key: 'string',
    n: 'number',
    cause: 'string',
    message: 'string',
    usage: 'object',
    endedAt: 'number',
  },
  delivered: {},
  timer: { name: 'string', delayMs: 'number' },
  ask: { name: 'string', question: 'string' },
  answer: { name: 'string', value: 'present' },
  run_end: { status: 'string', endedAt: 'number', census: 'object' },
}

/** Reads one line, without its newline. Never throws. */
export function decodeLine(bytes: Uint8Array): DecodedLine {
  if (!isUtf8(bytes)) return damaged('it is not UTF-8')
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
  } catch {
    return damaged('it is not JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return damaged('it is not an object')
  const fields = value as Record<string, unknown>
  for (const name of ['seq', 'attempt', 'fence']) {
    if (!Number.isSafeInteger(fields[name])) return damaged(`"${name}" is missing or no whole number`)
  }
  if (typeof fields['type'] !== 'string') return damaged('"type" is missing or no string')
  const stamp = fields as unknown as JournalStamp
  if (!Object.hasOwn(REQUIRED, fields['type'])) return { kind: 'unknown', stamp }
  const missing = missingField(fields, fields['type'] as JournalEntry['type'])
  return missing
    ? damaged(`"${missing}" is missing or of the wrong kind`)
    : { kind: 'known', line: value as JournalLine }
}

function missingField(fields: Record<string, unknown>, type: JournalEntry['type']): string | undefined {
  const required = REQUIRED[type]
  for (const name in required) {
    const value = fields[name]
    const kind = required[name]
    const fits = kind === 'object' ? value !== null && typeof value === 'object' : typeof value === kind
    if (!(kind === 'present' ? value !== undefined : fits)) return name
  }
  if (type === 'result' && fields['result'] === undefined && typeof fields['resultHash'] !== 'string')
    return 'result'
  return undefined
}

function damaged(reason: string): DecodedLine {
  return { kind: 'damaged', reason }
}
