import type { Cause, Effects, JsonValue } from '@tutti/protocol'
import type { AgentCall, AgentContext, AgentOutcome } from '../../ports/agent-executor.ts'
import type { Clock } from '../../ports/clock.ts'
import type { EventQueue } from '../event-queue.ts'
import type { ScriptedBehaviour } from './table.ts'

/** One try of one scripted agent. */
export interface Scene {
  call: AgentCall
  context: AgentContext
  clock: Clock
  events: EventQueue
  /** Aborted by the context or by `cancel`. */
  signal: AbortSignal
  startedAt: number
  /** Streamed so far. */
  text: string
  outputTokens: number
  effects: Effects
  session?: string
  /** Tries used up by transients around this behaviour. */
  triesBefore: number
}

/** Acts out a behaviour. Without waiting in it, no timer is set. */
export async function play(behaviour: ScriptedBehaviour, scene: Scene): Promise<AgentOutcome> {
  enter(behaviour, scene)
  if (scene.signal.aborted) return stopped(scene)
  const hangs = 'hang' in behaviour
  if (hangs || behaviour.afterMs) {
    await wait(scene, hangs ? undefined : behaviour.afterMs, behaviour.eventEveryMs)
    if (scene.signal.aborted) return stopped(scene)
  }
  if ('die' in behaviour)
    return failed(scene, behaviour.die, behaviour.message ?? `scripted to die: ${behaviour.die}`)
  if ('invalid' in behaviour) return submitInvalid(behaviour, scene)
  if ('transient' in behaviour) return passThrough(behaviour, scene)
  return answer(scene, valueOf(behaviour, scene.call))
}

function enter(behaviour: ScriptedBehaviour, scene: Scene): void {
  if (behaviour.effects) scene.effects = behaviour.effects
  if (behaviour.session !== undefined) {
    scene.session = behaviour.session
    scene.events.push({ type: 'session', sessionId: behaviour.session })
  }
  scene.outputTokens += behaviour.outputTokens ?? 0
  if (!behaviour.partial) return
  scene.text += behaviour.partial
  scene.events.push({ type: 'text', text: behaviour.partial })
}

function valueOf(behaviour: ScriptedBehaviour, call: AgentCall): JsonValue {
  if ('echo' in behaviour) return call.continueFrom?.message ?? call.prompt
  if ('reportModel' in behaviour) return call.model ?? null
  return 'ok' in behaviour ? behaviour.ok : null
}

/** Resolves after `ms`, never without one, and in any case when the signal is aborted. */
function wait(scene: Scene, ms: number | undefined, eventEveryMs: number | undefined): Promise<void> {
  const { clock, events, signal } = scene
  return new Promise(resolve => {
    const end = ms === undefined ? undefined : clock.timer(ms, finish)
    let beat = eventEveryMs ? clock.timer(eventEveryMs, live) : undefined
    signal.addEventListener('abort', finish, { once: true })

    function live(): void {
      events.push({ type: 'activity' })
      beat = clock.timer(eventEveryMs ?? 0, live)
    }

    function finish(): void {
      end?.cancel()
      beat?.cancel()
      signal.removeEventListener('abort', finish)
      resolve()
    }
  })
}

function passThrough(
  behaviour: Extract<ScriptedBehaviour, { transient: Cause }>,
  scene: Scene,
): Promise<AgentOutcome> | AgentOutcome {
  if (scene.call.attempt - scene.triesBefore <= behaviour.times) {
    return failed(scene, behaviour.transient, `scripted to fail once more: ${behaviour.transient}`)
  }
  scene.triesBefore += behaviour.times
  return play(behaviour.then, scene)
}

function submitInvalid(
  behaviour: Extract<ScriptedBehaviour, { invalid: JsonValue }>,
  scene: Scene,
): Promise<AgentOutcome> | AgentOutcome {
  const { submit } = scene.context
  if (!submit)
    return failed(
      scene,
      'invalid_request',
      `"${scene.call.label}" is to submit an object, but its call has no schema`,
    )
  for (let n = 0; n < behaviour.times; n++) {
    const verdict = submit(behaviour.invalid)
    if (verdict.accepted) return succeeded(scene, behaviour.invalid)
    if (verdict.left <= 0) return rejected(scene, behaviour.invalid)
    scene.events.push({ type: 'activity' })
  }
  return behaviour.then ? play(behaviour.then, scene) : rejected(scene, behaviour.invalid)
}

function answer(scene: Scene, value: JsonValue): AgentOutcome {
  const { submit } = scene.context
  if (!submit || submit(value).accepted) return succeeded(scene, value)
  return rejected(scene, value)
}

function succeeded(scene: Scene, value: JsonValue): AgentOutcome {
  return { status: 'ok', value, ...common(scene) }
}

function rejected(scene: Scene, lastInvalid: JsonValue): AgentOutcome {
  return { ...failed(scene, 'schema_rejected', 'no submitted object was valid'), lastInvalid }
}

function stopped(scene: Scene): AgentOutcome {
  return failed(scene, 'stopped', 'stopped before it ended')
}

function failed(scene: Scene, cause: Cause, message: string): Extract<AgentOutcome, { status: 'failed' }> {
  const outcome = { status: 'failed' as const, cause, message, ...common(scene) }
  return scene.text ? { ...outcome, lastText: scene.text } : outcome
}

function common({
  call,
  clock,
  effects,
  outputTokens,
  session,
  startedAt,
}: Scene): Pick<AgentOutcome, 'usage' | 'effects' | 'model' | 'sessionId'> {
  const durationMs = clock.now() - startedAt
  const usage = { input: 0, output: outputTokens, cacheRead: 0, cacheWrite: 0, toolUses: 0, durationMs }
  return {
    usage,
    effects,
    ...(call.model !== undefined && { model: call.model }),
    ...(session !== undefined && { sessionId: session }),
  }
}
