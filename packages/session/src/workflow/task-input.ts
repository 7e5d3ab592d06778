import type { JsonObject } from '@tutti/protocol'

/** Input of the tools that speak of a task. */
export interface TaskInput {
  /** Id of a task or of its run. */
  taskId: string
  block?: boolean
  /** Milliseconds. */
  timeout?: number
}

/** The input, or what is wrong with it. Other fields than `fields` are refused. */
export function readTaskInput(
  tool: string,
  input: JsonObject,
  fields: readonly string[],
): TaskInput | string {
  const other = Object.keys(input).find(name => !fields.includes(name))
  if (other !== undefined) {
    const known = fields.length === 0 ? 'it has none' : `its fields are ${fields.join(', ')}`
    return `${tool}: there is no field ${JSON.stringify(other.slice(0, 80))}; ${known}`
  }
  const { task_id: taskId = '', block, timeout } = input
  if (typeof taskId !== 'string') return `${tool}: task_id must be a string`
  if (fields.includes('task_id') && taskId === '') return `${tool}: task_id is missing`
  if (block !== undefined && typeof block !== 'boolean') return `${tool}: block must be true or false`
  if (timeout !== undefined && !(typeof timeout === 'number' && timeout >= 0)) {
    return `${tool}: timeout must be a number of milliseconds`
  }
  return { taskId, ...(block !== undefined && { block }), ...(timeout !== undefined && { timeout }) }
}
