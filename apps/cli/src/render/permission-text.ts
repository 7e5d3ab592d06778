import type { PermissionAsker, PermissionQuestion } from '@tutti/runtime'
import type { Colors } from './colors.ts'
import { formatDuration } from './numbers.ts'
import { fitText, safeBlock, safeLine, textWidth, wrapText } from './text-width.ts'

const MOST_LINES = 30
const MOST_CHARACTERS = 3000
const SHORT_VALUE = 400

/** A question about a tool: who asks, the tool, what it would be used for, and why it is asked. */
export function permissionLines(
  { tool, input, why }: PermissionQuestion,
  { label }: Pick<PermissionAsker, 'label'>,
  { colors, width }: { colors: Colors; width: number },
): string[] {
  // Each line is indented, so that nothing an agent says can look like the question itself.
  const body = inputText(tool, input).split('\n')
  const shown = body.slice(0, MOST_LINES).map(line => `    ${line}`)
  if (body.length > MOST_LINES) shown.push(colors.yellow(`    … and ${body.length - MOST_LINES} more lines`))
  const reason = wrapText(safeLine(why ?? ''), Math.max(20, width - 4)).map(line => `    ${colors.dim(line)}`)
  return [
    `${colors.yellow('?')} ${colors.bold(safeLine(label))} wants to use ${colors.bold(safeLine(tool))}:`,
    ...shown,
    ...(why === undefined ? [] : reason),
  ]
}

export interface PermissionPrompt {
  /** What "always" would allow. */
  always: string
  leftMs: number
  /** Questions behind this one. */
  waiting: number
  width: number
}

/** The line at which a person types; always one line. */
export function permissionPrompt({ always, leftMs, waiting, width }: PermissionPrompt): string {
  const queue = waiting === 0 ? '' : `, ${waiting} more waiting`
  const time = `(${formatDuration(Math.ceil(leftMs / 1000) * 1000)} left${queue})`
  const long = `  y yes · n no · a always in this run: ${always} ${time} > `
  const short = `  y · n · a always ${time} > `
  if (textWidth(long) + 8 <= width) return long
  return textWidth(short) + 4 <= width ? short : fitText(`  y/n/a ${time} > `, Math.max(8, width - 4))
}

/** The one value that says what a tool would do, whole; else all values by name. */
function inputText(tool: string, input: PermissionQuestion['input']): string {
  const { command } = input
  if (tool === 'Bash' && typeof command === 'string') return bounded(safeBlock(command), MOST_CHARACTERS)
  const lines = Object.entries(input).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return `${safeLine(name)}: ${bounded(safeBlock(text), SHORT_VALUE)}`
  })
  return lines.length === 0 ? '(nothing is said about it)' : lines.join('\n')
}

function bounded(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)} … and ${text.length - most} more characters`
}
