/** One thing that is wrong with a recording. */
export interface Problem {
  /** Position in the recording, from 1; one past its end for what is missing. */
  line: number
  /** Name of the rule that was broken: stable, for tests and filters. */
  rule: string
  message: string
}

/** Takes what a rule finds at the entry that is looked at now. */
export type Report = (rule: string, message: string) => void

/** `line 12: schema: …`, one a line; for messages of failed tests. */
export function problemText(problems: readonly Problem[]): string {
  return problems.map(({ line, rule, message }) => `line ${line}: ${rule}: ${message}`).join('\n')
}
