import type { Cause, JsonObject, JsonValue } from '@tutti/protocol'
import type { AgentEvent } from '@tutti/runtime'
import type { EventRule, Path, UsagePaths } from './profile.ts'

/** What a product has told so far. */
export interface Told {
  session?: string
  model?: string
  /** The last message, or the final text. */
  text: string
  object?: JsonValue
  turns: number
  toolUses: number
  usage?: { input: number; output: number; cacheRead: number; cacheWrite: number }
  costUsd?: number
  error?: { message: string; kind: string; cause?: Cause }
  done: boolean
}

export interface Listener {
  emit(event: AgentEvent): void
  /** A message, whole or a piece. */
  text?(text: string): void
  tool?(name: string, input: JsonValue | undefined): void
}

const SUMMARY = 200

/** Takes in events by the rules of a profile. Values of unexpected kinds are passed over. */
export class EventReader {
  readonly told: Told = { text: '', turns: 0, toolUses: 0, done: false }
  readonly #listener: Listener
  #isFinal = false
  #fresh = true

  constructor(listener: Listener) {
    this.#listener = listener
  }

  read(event: JsonValue, rules: readonly EventRule[]): void {
    for (const rule of rules) if (matches(event, rule.when)) this.#apply(event, rule)
  }

  #apply(event: JsonValue, rule: EventRule): void {
    const { told } = this
    const { emit } = this.#listener
    const session = textAt(event, rule.session)
    if (session !== undefined && session !== told.session) {
      told.session = session
      emit({ type: 'session', sessionId: session })
    }
    const model = textAt(event, rule.model)
    if (model !== undefined && model !== told.model) {
      told.model = model
      emit({ type: 'model', model })
    }
    if (rule.turn === true) {
      told.turns++
      this.#fresh = true
    }
    if (rule.each) this.#each(valueAt(event, rule.each.path), rule.each.rules)
    this.#message(event, rule)
    this.#tools(event, rule)
    if (rule.object !== undefined) told.object = valueAt(event, rule.object) ?? told.object
    if (rule.usage) this.#usage(event, rule.usage)
    const cost = numberAt(event, rule.cost)
    if (cost !== undefined) told.costUsd = rule.usage?.as === 'sum' ? (told.costUsd ?? 0) + cost : cost
    this.#error(event, rule)
    if (rule.done === true) told.done = true
  }

  #each(list: JsonValue | undefined, rules: readonly EventRule[]): void {
    if (Array.isArray(list)) for (const entry of list) this.read(entry, rules)
  }

  #message(event: JsonValue, rule: EventRule): void {
    const { told } = this
    const text = textAt(event, rule.text)
    if (text !== undefined && text !== '') {
      if (!this.#isFinal) told.text = rule.whole === true || this.#fresh ? text : told.text + text
      this.#fresh = false
      this.#listener.emit({ type: 'text', text })
      this.#listener.text?.(text)
    }
    const final = textAt(event, rule.final)
    if (final !== undefined && final !== '') {
      told.text = final
      this.#isFinal = true
    }
    const thinking = textAt(event, rule.thinking)
    if (thinking !== undefined) this.#listener.emit({ type: 'thinking', text: thinking })
  }

  #tools(event: JsonValue, rule: EventRule): void {
    const { emit, tool } = this.#listener
    if (rule.tool) {
      const name = textAt(event, rule.tool.name) ?? 'tool'
      const input = rule.tool.summary === undefined ? undefined : valueAt(event, rule.tool.summary)
      this.told.toolUses++
      this.#fresh = true
      const summary = input === undefined ? undefined : summaryOf(input)
      emit({ type: 'tool_start', name, ...(summary !== undefined && { summary }) })
      tool?.(name, input)
    }
    if (rule.toolEnd !== undefined) emit({ type: 'tool_end', name: textAt(event, rule.toolEnd) ?? 'tool' })
  }

  #usage(event: JsonValue, paths: UsagePaths): void {
    const input = numberAt(event, paths.input)
    const output = numberAt(event, paths.output)
    if (input === undefined && output === undefined) return
    const cacheRead = numberAt(event, paths.cacheRead) ?? 0
    const cacheWrite = numberAt(event, paths.cacheWrite) ?? 0
    const cached = paths.inputHasCached === true ? cacheRead + cacheWrite : 0
    const before = paths.as === 'sum' ? this.told.usage : undefined
    const usage = {
      input: (before?.input ?? 0) + Math.max(0, (input ?? 0) - cached),
      output: (before?.output ?? 0) + (output ?? 0),
      cacheRead: (before?.cacheRead ?? 0) + cacheRead,
      cacheWrite: (before?.cacheWrite ?? 0) + cacheWrite,
    }
    this.told.usage = usage
    const tokens = usage.input + usage.output + usage.cacheRead + usage.cacheWrite
    this.#listener.emit({ type: 'usage', tokens })
  }

  #error(event: JsonValue, rule: EventRule): void {
    if ((rule.error ?? rule.cause) === undefined || this.told.error?.cause !== undefined) return
    const message = [rule.error ?? []]
      .flat()
      .map(path => textAt(event, path))
      .find(text => text !== undefined)
    if (message === undefined && rule.cause === undefined) return
    const kind = textAt(event, rule.errorKind) ?? ''
    this.told.error = { message: message ?? '', kind, ...(rule.cause !== undefined && { cause: rule.cause }) }
  }
}

function matches(event: JsonValue, when: EventRule['when'] = {}): boolean {
  return Object.entries(when).every(([path, wanted]) => {
    const value = valueAt(event, path) ?? null
    return Array.isArray(wanted) ? wanted.includes(value) : value === wanted
  })
}

function valueAt(value: JsonValue, path: Path): JsonValue | undefined {
  let found: JsonValue | undefined = value
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = (found as JsonObject)[name]
  }
  return found
}

function textAt(value: JsonValue, path: Path | undefined): string | undefined {
  const found = path === undefined ? undefined : valueAt(value, path)
  return typeof found === 'string' ? found : undefined
}

function numberAt(value: JsonValue, path: Path | undefined): number | undefined {
  const found = path === undefined ? undefined : valueAt(value, path)
  return typeof found === 'number' && Number.isFinite(found) && found >= 0 ? found : undefined
}

function summaryOf(input: JsonValue): string | undefined {
  const known = typeof input === 'object' && input !== null && !Array.isArray(input) ? input : {}
  const telling = ['command', 'file_path', 'path', 'pattern', 'url', 'description'].map(name => known[name])
  const text = typeof input === 'string' ? input : telling.find(value => typeof value === 'string')
  return text === undefined ? undefined : text.split('\n', 1)[0]?.slice(0, SUMMARY)
}
