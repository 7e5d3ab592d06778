import { isJsonObject, type JsonObject } from '@tutti/protocol'

/** A line of a transcript; it names the one before it. Fields that are not known are kept. */
export interface TranscriptLine {
  type: string
  uuid: string
  parentUuid: string | null
  /** Of `user` and `assistant`. */
  message?: JsonObject
  isSidechain?: boolean
  [field: string]: unknown
}

export interface ReadLines {
  /** In the order of the file. */
  lines: TranscriptLine[]
  /** Lines that are no JSON object, as a killed writer leaves them. */
  damaged: number
}

/** The lines of a transcript that others can refer to; summaries and the like have no uuid and are passed over. */
export function readLines(text: string): ReadLines {
  const lines: TranscriptLine[] = []
  let damaged = 0
  for (const part of text.split('\n')) {
    if (part.trim() === '') continue
    const value = parsed(part)
    if (!isJsonObject(value)) damaged++
    else if (isLine(value)) lines.push({ ...value, parentUuid: parentOf(value) } as TranscriptLine)
  }
  return { lines, damaged }
}

/**
 * The lines of one conversation, oldest first: from the last message, or the one with the uuid `at`, back along the
 * parents. Where a parent is missing it goes on with the line before. Undefined when there is no line `at`.
 */
export function conversationOf(lines: readonly TranscriptLine[], at?: string): TranscriptLine[] | undefined {
  const own = lines.filter(line => line.isSidechain !== true)
  let place = at === undefined ? own.findLastIndex(isMessage) : own.findLastIndex(({ uuid }) => uuid === at)
  if (place < 0) return at === undefined ? [] : undefined
  const places = new Map(own.map(({ uuid }, index) => [uuid, index]))
  const chain: TranscriptLine[] = []
  for (;;) {
    const line = own[place]
    if (line === undefined) break
    chain.push(line)
    if (line.parentUuid === null) break
    const parent = places.get(line.parentUuid) ?? place - 1
    // Only backwards, so that it ends whatever the file says.
    place = parent < place ? parent : place - 1
  }
  return chain.reverse()
}

/** Whether somebody says something in it. */
export function isMessage({ type, message }: TranscriptLine): boolean {
  return (type === 'user' || type === 'assistant') && isJsonObject(message)
}

function isLine(value: { [field: string]: unknown }): boolean {
  return typeof value['type'] === 'string' && typeof value['uuid'] === 'string'
}

function parentOf(value: { [field: string]: unknown }): string | null {
  const parent = value['parentUuid']
  return typeof parent === 'string' ? parent : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
