import { SCHEMA_VERSION } from '@tutti/protocol'
import type { RunRecord } from '@tutti/protocol'
import { unreadable } from '../files/file-errors.ts'
import type { FileSystem } from '../files/file-system.ts'
import { readText } from '../files/read-text.ts'
import { newer } from '../journal/read-journal.ts'

/** The record at `path`; undefined when it is missing. Throws JournalError when it cannot be used. */
export async function readRecord(
  fs: FileSystem,
  path: string,
  runId: string,
): Promise<RunRecord | undefined> {
  const text = await readText(fs, path)
  if (text === undefined) return undefined
  const record = parse(text, path)
  if (record.runId !== runId) throw unreadable(path, `it is not the record of run ${runId}`)
  if (typeof record.status !== 'string' || typeof record.startedAt !== 'number') {
    throw unreadable(path, 'it is no run record')
  }
  if (record.schemaVersion > SCHEMA_VERSION) throw newer(path, record.schemaVersion)
  return record
}

function parse(text: string, path: string): RunRecord {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as RunRecord
  } catch (error) {
    throw unreadable(path, 'it is not JSON', error)
  }
  throw unreadable(path, 'it is no run record')
}
