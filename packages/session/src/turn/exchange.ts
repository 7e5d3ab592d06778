import type { BeforeToolRuling, Chat, ChatMessage, HookedUse, TurnEnd, TurnStage } from '@tutti/agents/chat'
import type { JsonObject } from '@tutti/protocol'
import type { Clock } from '@tutti/runtime'
import type { AskPermission } from '../host/ask-permission.ts'
import type { Hooks } from '../host/hooks.ts'
import type { HookVerdict } from '../host/hook-output.ts'
import type { Outbox } from '../output/outbox.ts'
import type { ChatFrames } from './chat-frames.ts'
import { TurnInterrupted } from './turn-abort.ts'

export interface ExchangeParts {
  chat: Chat
  hooks: Hooks
  ask: AskPermission
  frames: ChatFrames
  outbox: Outbox
  clock: Clock
}

export interface Exchanged {
  end: TurnEnd
  /** A hook ended the turn, for this reason. */
  stoppedByHook?: string
  /** Settles when the chat may be spoken to again. */
  over: Promise<unknown>
}

/** A chat that was told to end and does not is waited for so long. */
const GRACE_MS = 2500

/** Says one message to the model and lets it work until it has answered. Never rejects. */
export async function exchange(
  parts: ExchangeParts,
  message: ChatMessage,
  signal: AbortSignal,
): Promise<Exchanged> {
  const controller = new AbortController()
  const onAbort = (): void => controller.abort(signal.reason)
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  let stoppedByHook: string | undefined
  const stopFor = (reason: string): void => {
    stoppedByHook ??= reason
  }
  const stage = turnStage(parts, controller, stopFor)
  const turn = parts.chat
    .turn(message, stage)
    .catch((error: unknown) => failedEnd(error instanceof Error ? error.message : String(error)))
  const end = await Promise.race([turn, overdue(controller.signal, parts.clock)])
  signal.removeEventListener('abort', onAbort)
  return { end, over: turn, ...(stoppedByHook !== undefined && { stoppedByHook }) }
}

/** What hooks say about a use of a tool before it happens. */
export async function askBeforeTool(hooks: Hooks, use: HookedUse, signal: AbortSignal): Promise<HookVerdict> {
  return hooks.run('PreToolUse', {
    about: use.toolName,
    input: { tool_name: use.toolName, tool_input: use.input, tool_use_id: use.toolUseId },
    toolUseId: use.toolUseId,
    signal,
  })
}

/** The verdict in the words of the chat. */
export function rulingOf({ permission, block, updatedInput, context, stop }: HookVerdict): BeforeToolRuling {
  const denied = stop ?? block
  const decision = denied === undefined ? permission?.decision : 'deny'
  const reason = denied ?? permission?.reason
  return {
    ...(decision !== undefined && { decision }),
    ...(reason !== undefined && { reason }),
    ...(updatedInput !== undefined && { updatedInput }),
    ...(context.length > 0 && { additionalContext: context.join('\n') }),
    ...(stop !== undefined && { stop: true }),
  }
}

function turnStage(
  { hooks, ask, frames, outbox }: ExchangeParts,
  controller: AbortController,
  stopFor: (reason: string) => void,
): TurnStage {
  const { signal } = controller
  return {
    signal,
    emit: event => frames.event(event),
    // Asked anew each time: the host may leave in the middle of a turn.
    get permission() {
      return ask.possible ? ask.tool : undefined
    },
    async beforeTool(use) {
      // What a tool has done must not be there without the answer that asked for it.
      await Promise.all([outbox.room(), frames.kept()])
      const verdict = await askBeforeTool(hooks, use, signal)
      if (verdict.stop !== undefined) stopFor(verdict.stop)
      return rulingOf(verdict)
    },
    async afterTool({ toolName, toolUseId, input, result }) {
      const outcome: JsonObject =
        result.failed === true
          ? { error: textOf(result.content) }
          : { tool_response: result.structured ?? result.content }
      const verdict = await hooks.run(result.failed === true ? 'PostToolUseFailure' : 'PostToolUse', {
        about: toolName,
        input: { tool_name: toolName, tool_input: input, tool_use_id: toolUseId, ...outcome },
        toolUseId,
        signal,
      })
      if (verdict.stop !== undefined) {
        stopFor(verdict.stop)
        controller.abort(new TurnInterrupted(verdict.stop))
      }
      const heard = [...(verdict.block === undefined ? [] : [verdict.block]), ...verdict.context]
      return heard.length === 0 ? {} : { additionalContext: heard.join('\n') }
    },
  }
}

function textOf(content: string | JsonObject[]): string {
  if (typeof content === 'string') return content
  return content.map(block => (typeof block['text'] === 'string' ? block['text'] : '')).join('\n')
}

function overdue(signal: AbortSignal, clock: Clock): Promise<TurnEnd> {
  return new Promise(resolve => {
    const onAbort = (): void => {
      clock.timer(GRACE_MS, () =>
        resolve({
          ...failedEnd('the turn was interrupted, but it has not ended yet'),
          outcome: 'interrupted',
        }),
      )
    }
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })
}

function failedEnd(message: string): TurnEnd {
  return {
    outcome: 'error_during_execution',
    text: '',
    stopReason: null,
    errors: [message],
    answers: 0,
    apiMs: 0,
    usage: {},
    denials: [],
  }
}
