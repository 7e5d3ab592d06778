import { WorkflowInputError } from '@tutti/runtime'
import { jsonErrorOffset } from './json-error-offset.ts'
import type { SettingsLayer, SettingsOrigin } from './settings-source.ts'

/** A source as text. */
export interface SettingsText extends SettingsOrigin {
  text: string
}

/**
 * Reads one source. Throws WorkflowInputError `settings-invalid` naming file, line and key. Keys under `tutti` that
 * this version does not know are reported through `warn`.
 */
export async function parseSettings(
  source: SettingsText,
  warn: (message: string) => void,
): Promise<SettingsLayer> {
  const values = parseJson(source)
  const { checkSettings, pathText } = await import('@tutti/protocol/schemas')
  const checked = checkSettings(values)
  if (!checked.ok) {
    const lines = await Promise.all(
      checked.issues.map(async ({ path, message }) => {
        const line = await lineOf(source.text, path)
        return `${source.place}:${line} ${pathText(path)}: ${message}`
      }),
    )
    throw invalid(lines.join('\n'))
  }
  for (const key of unknownKeys(values))
    warn(`${source.place}: tutti.${key} is not a known setting and is ignored.`)
  return { source: source.source, place: source.place, values }
}

function parseJson({ text, place }: SettingsText): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    const line = text.slice(0, jsonErrorOffset(text)).split('\n').length
    throw invalid(`${place}:${line} is not JSON: ${(error as Error).message}`)
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>
  throw invalid(`${place}:1 must be an object`)
}

/** Line of a value, from 1; of the nearest thing around it when it is not there. */
async function lineOf(text: string, path: readonly (string | number)[]): Promise<number> {
  const { isMap, isPair, LineCounter, parseDocument } = await import('yaml')
  const counter = new LineCounter()
  const document = parseDocument(text, { lineCounter: counter, uniqueKeys: false, logLevel: 'silent' })
  let node: unknown = document.contents
  let offset = 0
  for (const part of path) {
    const pair: unknown = isMap(node)
      ? node.items.find(item => isPair(item) && (item.key as { value?: unknown } | null)?.value === part)
      : undefined
    if (isPair(pair)) offset = (pair.key as { range?: number[] | null }).range?.[0] ?? offset
    node = isPair(pair)
      ? pair.value
      : (node as { get?(key: unknown, keep: boolean): unknown } | null)?.get?.(part, true)
    if (!isPair(pair)) offset = (node as { range?: number[] | null } | undefined)?.range?.[0] ?? offset
  }
  return counter.linePos(offset).line
}

const KNOWN_KEYS = new Set([
  'backend',
  'backends',
  'models',
  'concurrency',
  'limits',
  'stallMs',
  'timeoutMs',
  'retries',
  'prefixStaggerMs',
  'layout',
  'cache',
  'dialect',
  'prices',
  'notify',
  'sandbox',
  'trustedProjects',
])

function unknownKeys(values: Record<string, unknown>): string[] {
  return Object.keys((values['tutti'] as object | undefined) ?? {}).filter(key => !KNOWN_KEYS.has(key))
}

function invalid(message: string): WorkflowInputError {
  return new WorkflowInputError('settings-invalid', `Settings cannot be used:\n${message}`, {
    hint: 'Nothing was started. Correct the file and try again.',
  })
}
