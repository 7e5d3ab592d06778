import type { CallComparison, NamedCall } from '../compare/compare-calls.ts'
import type { ComparedRun, RunComparison, TextComparison } from '../compare/compare-runs.ts'
import type { Colors } from './colors.ts'
import { shownTime } from './run-status.ts'
import { textDiff } from './text-diff.ts'
import { safeBlock, safeLine } from './text-width.ts'

const MOST_LISTED = 50
/** A whole result can be a book; all of it is in `--json`. */
const MOST_RESULT_LINES = 200

/** How two runs differ, for people. */
export async function comparisonText(comparison: RunComparison, colors: Colors): Promise<string> {
  const { a, b, script, args, calls, result } = comparison
  const lines = [
    runLine('a', a, colors),
    runLine('b', b, colors),
    '',
    ...textLines('script', script, colors),
    ...textLines('args', args, colors),
    ...(await callLines(calls, colors)),
    ...cut(textLines('result', result, colors)),
  ]
  return `${lines.join('\n')}\n`
}

function runLine(name: string, run: ComparedRun, colors: Colors): string {
  const status = run.status === 'killed' ? 'stopped' : run.status
  return `${colors.bold(name)}  ${run.runId}  ${safeLine(run.workflowName)}  ${status}  ${colors.dim(shownTime(run.startedAt))}`
}

function textLines(title: string, { equal, patch, reason }: TextComparison, colors: Colors): string[] {
  const verdict = equal ? 'equal' : (reason ?? 'changed')
  const head = `${colors.bold(title.padEnd(8))}${equal ? verdict : colors.yellow(verdict)}`
  if (patch === undefined) return [head]
  return [
    head,
    ...safeBlock(patch.trimEnd())
      .split('\n')
      .map(line => `  ${painted(line, colors)}`),
  ]
}

function painted(line: string, colors: Colors): string {
  if (/^(---|\+\+\+) /.test(line)) return colors.dim(line)
  if (line.startsWith('@@')) return colors.cyan(line)
  if (line.startsWith('-')) return colors.red(line)
  return line.startsWith('+') ? colors.green(line) : line
}

async function callLines(calls: CallComparison, colors: Colors): Promise<string[]> {
  const { equal, otherOutcome, changed, added, removed } = calls
  const counts = [
    `${equal} equal`,
    otherOutcome.length === 0 ? '' : `${otherOutcome.length} with another result`,
    changed.length === 0 ? '' : `${changed.length} changed`,
    added.length === 0 ? '' : `${added.length} added`,
    removed.length === 0 ? '' : `${removed.length} removed`,
  ].filter(text => text !== '')
  const shown = counts.map((text, at) => (at === 0 ? text : colors.yellow(text)))
  const lines = [`${colors.bold('calls'.padEnd(8))}${shown.join(', ')}`]
  for (const call of changed.slice(0, MOST_LISTED)) {
    lines.push(
      `  ${colors.yellow('~')} ${nameText(call)}  ${colors.yellow(`${call.fields.join(', ')} changed`)}`,
    )
    const { prompts } = call
    if (prompts === undefined) continue
    const diff = await textDiff(prompts.a, prompts.b, { colors, context: 1, lines: 30 })
    lines.push(...diff.map(line => `      ${line}`))
  }
  lines.push(...moreLine(changed.length))
  for (const call of otherOutcome.slice(0, MOST_LISTED)) {
    lines.push(`  ${colors.yellow('=')} ${nameText(call)}  ${colors.yellow('another result')}`)
    const diff = await textDiff(indented(call.a), indented(call.b), { colors, context: 1, lines: 20 })
    lines.push(...diff.map(line => `      ${line}`))
  }
  lines.push(...moreLine(otherOutcome.length))
  lines.push(...listed(added, colors.green('+')), ...listed(removed, colors.red('-')))
  return lines
}

function listed(calls: NamedCall[], mark: string): string[] {
  return [
    ...calls.slice(0, MOST_LISTED).map(call => `  ${mark} ${nameText(call)}`),
    ...moreLine(calls.length),
  ]
}

function moreLine(total: number): string[] {
  return total > MOST_LISTED ? [`  … and ${total - MOST_LISTED} more; all of them with --json`] : []
}

function nameText({ label, phase }: NamedCall): string {
  return phase === undefined ? safeLine(label) : `${safeLine(phase)} › ${safeLine(label)}`
}

/** JSON on several lines; a plain string, and the cause of a failure, as text. */
function indented(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)
  } catch {
    return text
  }
}

function cut(lines: string[]): string[] {
  const more = lines.length - MOST_RESULT_LINES
  return more <= 0
    ? lines
    : [...lines.slice(0, MOST_RESULT_LINES), `  … and ${more} more lines; all of them with --json`]
}
