import { visible } from './code-points.ts'
import type { Finding } from './types.ts'

/** `file:LINE:COLUMN message`, on one line. */
export function describeFinding({ line, column, message }: Finding, file: string): string {
  return `${visible(file)}:${line}:${column} ${message}`
}

/** All findings as plain text, each with its place, rule and frame; ends without a line end. */
export function formatFindings(findings: readonly Finding[], file: string): string {
  return findings
    .map(({ line, column, severity, rule, message, frame }) =>
      [`${visible(file)}:${line}:${column} ${severity} ${message} (${rule})`, '', indent(frame)].join('\n'),
    )
    .join('\n\n')
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ')
}
