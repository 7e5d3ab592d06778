import { readFile } from 'node:fs/promises'
import { WorkflowInputError, type Clock } from '@tutti/runtime'
import { createScriptedExecutor, parseScriptedTable } from '@tutti/runtime/testing'
import type { Backend } from '../backend.ts'

/** Acts out the table in a JSON file. Throws WorkflowInputError `option-invalid` when there is none. */
export async function createScriptedBackend(file: string, options: { clock?: Clock } = {}): Promise<Backend> {
  let table: unknown
  try {
    table = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new WorkflowInputError('option-invalid', `the scripted table ${file} cannot be read: ${reason}`)
  }
  return createScriptedExecutor(parseScriptedTable(table, file), options)
}
