import type { Report } from '../problem.ts'
import { frameIn, framesIn, systemSubtype, textIn } from '../read.ts'
import type { Frame, Rule } from '../recording.ts'

/** `task_started` comes before the tool result of its launch; tool uses and results belong together. */
export function createLaunchRule(report: Report, source: 'session' | 'run'): Rule {
  const started = new Map<string, string | undefined>()
  const uses = new Set<string>()
  const answered = new Set<string>()

  const result = (frame: Frame): void => {
    const ids = blocksOf(frame, 'tool_result').map(block => textIn(block, 'tool_use_id') ?? '')
    for (const id of ids) {
      // The run command has no model, so no tool use is shown.
      if (!uses.has(id) && source === 'session') report('result-without-use', `no tool use ${id} was shown`)
      if (answered.has(id)) report('tool-result-twice', `the tool use ${id} has its result`)
      answered.add(id)
    }
    const launch = frameIn(frame, 'tool_use_result')
    const taskId = textIn(launch, 'taskId')
    if (textIn(launch, 'status') !== 'async_launched' || taskId === undefined) return
    if (!started.has(taskId)) {
      report('launched-before-started', `the launch of ${taskId} is told before its task_started`)
      return
    }
    const toolUseId = started.get(taskId)
    if (toolUseId !== undefined && !ids.includes(toolUseId)) {
      report('tool-use-differs', `${taskId} started for ${toolUseId}, and was launched by ${ids.join(', ')}`)
    }
  }

  const start = (frame: Frame): void => {
    const taskId = textIn(frame, 'task_id') ?? ''
    const toolUseId = textIn(frame, 'tool_use_id')
    if (toolUseId !== undefined && answered.has(toolUseId)) {
      report('started-after-result', `${taskId} starts for ${toolUseId}, which has its result`)
    }
    started.set(taskId, toolUseId)
  }

  return {
    see({ from, frame }) {
      if (from === 'host') return
      if (systemSubtype(frame) === 'task_started') {
        start(frame)
      } else if (frame['type'] === 'assistant') {
        for (const block of blocksOf(frame, 'tool_use')) uses.add(textIn(block, 'id') ?? '')
      } else if (frame['type'] === 'user') {
        result(frame)
      }
    },
  }
}

function blocksOf(frame: Frame, type: string): Frame[] {
  return (framesIn(frameIn(frame, 'message'), 'content') ?? []).filter(block => block['type'] === type)
}
