import type { Colors } from './colors.ts'
import { safeLine } from './text-width.ts'

export interface TextDiffOptions {
  colors: Colors
  /** Unchanged lines around a change. */
  context: number
  /** More lines than these are left out, and said to be. */
  lines: number
}

/** Finding the shortest difference of two long texts may take for ever. */
const PATIENCE_MS = 1000
/** An unchanged stretch of a line is cut down to about this. */
const STRETCH = 60

/**
 * What changed between two texts, for people. `-` and `+` are lines, `~` is a line in which words changed:
 * `[-old-]{+new+}`.
 */
export async function textDiff(before: string, after: string, options: TextDiffOptions): Promise<string[]> {
  const { diffWordsWithSpace, structuredPatch } = await import('diff')
  const { colors, context } = options
  const patch = structuredPatch('', '', whole(before), whole(after), '', '', {
    context,
    timeout: PATIENCE_MS,
  })
  if (patch === undefined) return ['(too different to be compared)']

  /** One line against one other, word by word; as two lines when hardly anything is the same. */
  const wordsOf = (old: string, fresh: string): string[] => {
    const parts = diffWordsWithSpace(old, fresh, { timeout: PATIENCE_MS })
    const same = (parts ?? []).reduce(
      (sum, part) => sum + (part.added || part.removed ? 0 : part.value.trim().length),
      0,
    )
    if (parts === undefined || same * 3 < Math.min(old.length, fresh.length)) {
      return [colors.red(`- ${safeLine(old)}`), colors.green(`+ ${safeLine(fresh)}`)]
    }
    const text = parts.map(({ value, added, removed }, at) => {
      const shown = safeLine(value)
      if (added) return colors.green(`{+${shown}+}`)
      if (removed) return colors.red(`[-${shown}-]`)
      return shortened(shown, { start: at === 0, end: at === parts.length - 1 })
    })
    return [`~ ${text.join('')}`]
  }

  const lines = patch.hunks.flatMap((hunk, at) => [
    ...(at === 0 ? [] : [colors.dim('…')]),
    ...blocksOf(hunk.lines).flatMap(block => {
      const { removed, added, same } = block
      if (same !== undefined) return same.trim() === '' ? [] : [colors.dim(`  ${safeLine(same)}`)]
      if (removed.length === added.length) return removed.flatMap((old, i) => wordsOf(old, added[i] ?? ''))
      return [
        ...removed.map(line => colors.red(`- ${safeLine(line)}`)),
        ...added.map(line => colors.green(`+ ${safeLine(line)}`)),
      ]
    }),
  ])
  const cut = lines.length - options.lines
  return cut <= 1 ? lines : [...lines.slice(0, options.lines), colors.dim(`… and ${cut} more lines`)]
}

interface Block {
  removed: string[]
  added: string[]
  same?: string
}

/** Lines of a hunk: unchanged ones alone, neighbouring changes together. */
function blocksOf(lines: string[]): Block[] {
  const blocks: Block[] = []
  let open: Block | undefined
  for (const line of lines) {
    const text = line.slice(1)
    if (line.startsWith('\\')) continue
    if (line.startsWith(' ')) {
      open = undefined
      blocks.push({ removed: [], added: [], same: text })
      continue
    }
    if (open === undefined) blocks.push((open = { removed: [], added: [] }))
    ;(line.startsWith('-') ? open.removed : open.added).push(text)
  }
  return blocks
}

/** A missing line end is not worth a line. */
function whole(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

function shortened(text: string, { start, end }: { start: boolean; end: boolean }): string {
  if (text.length <= STRETCH) return text
  const half = STRETCH / 2
  if (start) return `…${text.slice(-half)}`
  return end ? `${text.slice(0, half)}…` : `${text.slice(0, half)}…${text.slice(-half)}`
}
