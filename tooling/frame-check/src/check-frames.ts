import type { Dialect } from '@tutti/protocol'
import type { Problem } from './problem.ts'
import { isFrame } from './read.ts'
import { linesOf, type Entry, type Recording, type Rule } from './recording.ts'
import { createBackgroundRule } from './rules/background.ts'
import { createControlRule } from './rules/control.ts'
import { createInterruptRule } from './rules/interrupt.ts'
import { createLaunchRule } from './rules/launches.ts'
import { createSchemaRule } from './rules/schema.ts'
import { createStampRule } from './rules/stamps.ts'
import { createTaskRule } from './rules/tasks.ts'
import { createTurnRule } from './rules/turns.ts'

export interface CheckOptions {
  /** Default: `codebuddy`. */
  dialect?: Dialect
  /** What wrote it: a session, or `tutti run --stream-json`, which has no turns. Default: a session. */
  source?: 'session' | 'run'
  /** A turn's result may wait for the workflows that it started, and for the turns about them. */
  heldResults?: boolean
  /** The recording ends in the middle: nothing that is still open counts. */
  cut?: boolean
}

/** Everything that is wrong with a recording; empty for a good one. Never throws, whatever the lines are. */
export function checkFrames(recording: Recording, options: CheckOptions = {}): Problem[] {
  const { dialect = 'codebuddy', source = 'session', cut = false, heldResults = false } = options
  const problems: Problem[] = []
  let line = 0
  const report = (rule: string, message: string): void => void problems.push({ line, rule, message })

  const rules: Rule[] = [
    createSchemaRule(report),
    createStampRule(report),
    createControlRule(report),
    createInterruptRule(report),
    createTaskRule(report, dialect),
    createLaunchRule(report, source),
    createBackgroundRule(report),
    ...(source === 'session' ? [createTurnRule(report, heldResults)] : []),
  ]

  for (const recorded of linesOf(recording)) {
    line += 1
    const frame = parse(recorded.line)
    if (frame === undefined) {
      // What a host sends is its own affair, and answered as it deserves.
      if (recorded.from === 'session') report('not-a-frame', 'the line is not a JSON object')
      continue
    }
    const entry: Entry = { from: recorded.from, frame }
    for (const rule of rules) rule.see(entry)
  }
  line += 1
  if (!cut) for (const rule of rules) rule.end?.()
  return problems.sort((a, b) => a.line - b.line)
}

function parse(text: string): Entry['frame'] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isFrame(value) ? value : undefined
  } catch {
    return undefined
  }
}
