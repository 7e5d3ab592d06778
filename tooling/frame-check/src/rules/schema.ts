import { OUT_FRAME_TYPES } from '@tutti/protocol'
import { checkValue, OutFrameSchema, pathText } from '@tutti/protocol/schemas'
import type { Report } from '../problem.ts'
import { framesIn, textIn } from '../read.ts'
import type { Rule } from '../recording.ts'

/** Beside the frames of the protocol: what a host of one client family waits for once it has subscribed. */
const TYPES: readonly string[] = [...OUT_FRAME_TYPES, 'control_notification']

/** Each frame fits its schema, has a type of the protocol, and carries no list of rows that is empty. */
export function createSchemaRule(report: Report): Rule {
  return {
    see({ from, frame }) {
      if (from === 'host') return
      const type = textIn(frame, 'type') ?? 'none'
      if (!TYPES.includes(type)) {
        report('unknown-type', `${type} is no type of a session's frame`)
        return
      }
      if (framesIn(frame, 'workflow_progress')?.length === 0) {
        report('empty-snapshot', 'workflow_progress is empty; it is left out when nothing changed')
      }
      const checked = checkValue(OutFrameSchema, frame)
      if (checked.ok) return
      for (const { path, message } of checked.issues) {
        report('schema', `${describe(type, frame)}: ${pathText(path)}: ${message}`)
      }
    },
  }
}

function describe(type: string, frame: Parameters<typeof textIn>[0]): string {
  const subtype = textIn(frame, 'subtype')
  return subtype === undefined ? type : `${type}/${subtype}`
}
