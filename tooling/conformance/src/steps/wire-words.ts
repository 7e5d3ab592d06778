import type { TaskFrame } from '@tutti/protocol'
import { systemClock, systemRandom, type RunHandle } from '@tutti/runtime'
import { createTaskStream } from '@tutti/session'

/** `subtype:status` of every frame of a run, in order; resolves when the last one is out. */
export async function wireWords(handle: RunHandle): Promise<string[]> {
  const words: string[] = []
  const stream = createTaskStream({
    handle,
    dialect: 'codebuddy',
    sessionId: handle.snapshot().sessionId,
    clock: systemClock(),
    random: systemRandom(),
    write: frame => words.push(wordOf(frame)),
  })
  await stream.done
  return words
}

/** The same, of frames as lines of text. */
export function wordsOfFrames(text: string): string[] {
  return text
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => wordOf(JSON.parse(line) as TaskFrame))
}

function wordOf(frame: TaskFrame): string {
  if (frame.subtype === 'task_updated') return `${frame.subtype}:${frame.patch.status}`
  if (frame.subtype === 'task_notification') return `${frame.subtype}:${frame.status}`
  return frame.subtype
}
