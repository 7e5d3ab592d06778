import type { JsonObject } from '@tutti/protocol'
import type { Random } from '@tutti/runtime'
import type { Note } from '../output/notes.ts'
import type { Outbox } from '../output/outbox.ts'
import { randomUuid } from '../stamp.ts'
import type { HostCalls } from './host-calls.ts'
import { hookMatches, readHookMatchers, type HookMatcher } from './hook-matchers.ts'
import { noVerdict, readHookOutputs, type HookVerdict } from './hook-output.ts'

/** The hooks that the host has registered. */
export interface Hooks {
  /** Replaces all. */
  register(hooks: JsonObject): void
  /** Asks every hook of the event that matches, all at once. Never rejects. */
  run(event: string, occasion?: HookOccasion): Promise<HookVerdict>
}

export interface HookOccasion {
  /** What matchers look at: the name of a tool, the source of a start. */
  about?: string
  /** Fields of the event. */
  input?: JsonObject
  toolUseId?: string
  signal?: AbortSignal
}

export interface HooksOptions {
  calls: HostCalls
  outbox: Outbox
  note: Note
  random: Random
  /** Fields of every event, as they are now. */
  common(): JsonObject
  /** Frames tell of each hook. */
  showEvents: boolean
}

export function createHooks(options: HooksOptions): Hooks {
  let events = new Map<string, HookMatcher[]>()
  return {
    register(hooks) {
      events = readHookMatchers(hooks)
    },
    async run(event, occasion = {}) {
      const matchers = (events.get(event) ?? []).filter(({ matcher }) => hookMatches(matcher, occasion.about))
      if (matchers.length === 0 || !options.calls.present) return noVerdict()
      const runs = matchers.flatMap(matcher =>
        matcher.callbackIds.map(callbackId => runHook({ ...options, event, occasion, matcher, callbackId })),
      )
      const verdict = readHookOutputs(await Promise.all(runs))
      for (const message of verdict.messages) options.note(`hook ${event}: ${message}`)
      return verdict
    },
  }
}

interface HookRun extends HooksOptions {
  event: string
  occasion: HookOccasion
  matcher: HookMatcher
  callbackId: string
}

async function runHook(run: HookRun): Promise<JsonObject> {
  const { calls, event, occasion, matcher, callbackId, note } = run
  const show = hookFrames(run)
  show('hook_started', {})
  try {
    const output = await calls.ask(
      {
        subtype: 'hook_callback',
        callback_id: callbackId,
        input: { ...run.common(), hook_event_name: event, ...occasion.input },
        ...(occasion.toolUseId !== undefined && { tool_use_id: occasion.toolUseId }),
      },
      { timeoutMs: matcher.timeoutMs, ...(occasion.signal && { signal: occasion.signal }) },
    )
    const text = JSON.stringify(output)
    show('hook_response', { output: text, stdout: text, stderr: '', outcome: 'success' })
    return output
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    show('hook_response', { output: '', stdout: '', stderr: message, outcome: 'error' })
    note(`hook ${callbackId} of ${event} failed: ${message}`)
    return matcher.blockOnFailure ? refusal(event, message) : {}
  }
}

function refusal(event: string, message: string): JsonObject {
  const reason = `a hook that must succeed failed: ${message}`
  return {
    decision: 'block',
    reason,
    hookSpecificOutput: {
      hookEventName: event,
      permissionDecision: 'deny',
      permissionDecisionReason: reason,
    },
  }
}

function hookFrames(run: HookRun): (subtype: string, fields: JsonObject) => void {
  const { event, occasion, outbox, random, showEvents } = run
  if (!showEvents) return () => {}
  const name = occasion.about === undefined ? event : `${event}:${occasion.about}`
  const hook = { hook_id: randomUuid(random), hook_name: name, hook_event: event }
  return (subtype, fields) => outbox.write({ type: 'system', subtype, ...hook, ...fields, ...outbox.stamp() })
}
