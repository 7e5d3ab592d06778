import type { JsonValue, RunFailure, RunRecord } from '@tutti/protocol'
import { notificationStatus, runSummary } from './run-summary.ts'

const MAX_RESULT = 8000
const MAX_FAILURES = 50
const MAX_FAILURE = 300
const MAX_CALL = 4000

export interface NotificationTextOptions {
  /** As it is at the end of the attempt. */
  record: RunRecord
  toolUseId?: string
  outputFile: string
  /** The value of a completed run, or what a failed one had. */
  result?: JsonValue
}

/** The user-role message that tells the model how a workflow ended. Everything in it is escaped. */
export function notificationText(options: NotificationTextOptions): string {
  const { record, outputFile } = options
  const toolUseId = options.toolUseId ?? record.toolUseId
  const parts = [
    element('task-id', record.taskId),
    toolUseId === undefined ? undefined : element('tool-use-id', toolUseId),
    element('output-file', outputFile),
    element('status', notificationStatus(record.status)),
    element('summary', runSummary(record)),
    options.result === undefined ? undefined : resultElement(options.result, outputFile),
    record.status === 'completed' ? undefined : element('recovery', recoveryText(record)),
    record.failures.length === 0 ? undefined : `<failures>\n${failureLines(record.failures)}\n</failures>`,
    usageElement(record),
  ]
  return `<task-notification>\n${parts.filter(part => part !== undefined).join('\n')}\n</task-notification>`
}

/** The exact call that resumes a run, arguments included unless they are long: the run keeps its own. */
export function recoveryText({ runId, args }: RunRecord): string {
  const call = jsonText({ resumeFromRunId: runId, ...(args !== undefined && { args }) })
  const told =
    call.length <= MAX_CALL
      ? `Workflow(${call})`
      : `Workflow({"resumeFromRunId":"${runId}"}) with the same args, which the run has kept`
  return `Finished agents are kept and cost nothing again. To go on: ${told}`
}

function resultElement(result: JsonValue, outputFile: string): string {
  const text = jsonText(result)
  if (text.length <= MAX_RESULT) return `<result>${text}</result>`
  const kept = cutEscaped(text, MAX_RESULT)
  const note = `… ${text.length - kept.length} more characters; the whole result is in ${escape(outputFile)}`
  return `<result>${kept}${note}</result>`
}

/** At most `length` characters, never through an escape or a surrogate pair. */
function cutEscaped(text: string, length: number): string {
  return text.slice(0, length).replace(/(?:\\(?:u[0-9a-f]{0,3})?|[\uD800-\uDBFF])$/, '')
}

function failureLines(failures: RunFailure[]): string {
  const lines = failures.slice(0, MAX_FAILURES).map(failureLine)
  if (failures.length > MAX_FAILURES) lines.push(`… and ${failures.length - MAX_FAILURES} more`)
  return lines.join('\n')
}

function failureLine({ kind, label, index, cause, message }: RunFailure): string {
  const place = label ?? (index === undefined ? kind : `${kind} ${index}`)
  const text = `${place}: ${cause === undefined ? '' : `${cause}: `}${message}`.replace(/\s+/g, ' ')
  return escape(text.length > MAX_FAILURE ? `${text.slice(0, MAX_FAILURE - 1)}…` : text)
}

function usageElement({ census, usage }: RunRecord): string {
  const tokens = usage.input + usage.output + usage.cacheRead + usage.cacheWrite
  const counts = [
    element('agents', String(census.total)),
    element('ok', String(census.ok)),
    element('cached', String(census.cached)),
    element('failed', String(census.failed)),
    element('stopped', String(census.stopped)),
    element('skipped', String(census.skipped)),
    element('total-tokens', String(tokens)),
    element('tool-uses', String(usage.toolUses)),
    element('duration-ms', String(usage.durationMs)),
  ]
  return `<usage>${counts.join('')}</usage>`
}

function element(name: string, text: string): string {
  return `<${name}>${escape(text)}</${name}>`
}

/** JSON that is no markup: what is copied from it is the same value. */
function jsonText(value: JsonValue): string {
  const escapes: Record<string, string> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026' }
  return JSON.stringify(value).replaceAll(/[<>&]/g, character => escapes[character] ?? character)
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
