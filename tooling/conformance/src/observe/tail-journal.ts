import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type { JournalLine } from '@tutti/protocol'

const POLL_MS = 4

/**
 * Calls `seen` with each whole line of the file whose `seq` is above `after`, as it appears, until `ended`;
 * then once more, so that nothing written before the end is missed.
 */
export async function tailJournal(
  file: string,
  options: { after: number; ended: () => boolean; seen: (line: JournalLine) => void },
): Promise<void> {
  let last = options.after
  for (;;) {
    const ended = options.ended()
    for (const line of wholeLines(await readFile(file, 'utf8').catch(() => ''))) {
      if (line.seq <= last) continue
      last = line.seq
      options.seen(line)
    }
    if (ended) return
    await wait(POLL_MS)
  }
}

function wholeLines(text: string): JournalLine[] {
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .flatMap(line => {
      try {
        return [JSON.parse(line) as JournalLine]
      } catch {
        return []
      }
    })
}
