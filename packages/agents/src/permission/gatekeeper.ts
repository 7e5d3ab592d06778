import type { JsonObject } from '@tutti/protocol'
import type { AgentContext, AgentEvent, Clock, PermissionSource } from '@tutti/runtime'
import type { Tool, Wish } from '../tools/tool.ts'
import type { Policy } from './policy.ts'

/** What was decided about a use of a tool, and by what. */
export interface Ruling {
  tool: string
  allowed: boolean
  /** `person`: whoever was asked. `nobody`: there was none to ask. `time`: no answer came. */
  source: PermissionSource
  reason: string
}

export interface GatekeeperOptions {
  policy: Policy
  context: Pick<AgentContext, 'permission' | 'transcript'>
  clock: Clock
  /** How long a question waits for its answer. */
  askMs: number
  signal: AbortSignal
  emit(event: AgentEvent): void
}

/** Decides about uses of tools, asks where rules say so, and writes each ruling down. */
export interface Gatekeeper {
  rule(tool: Pick<Tool, 'name' | 'readOnly'>, input: JsonObject, wish: Wish): Promise<Ruling>
}

export function createGatekeeper(options: GatekeeperOptions): Gatekeeper {
  const { policy, context, clock, emit } = options
  return {
    async rule(tool, input, wish) {
      const { decision, source, reason } = policy.decide(tool, wish)
      const ruling =
        decision === 'ask'
          ? await ask(options, { tool: tool.name, input }, reason)
          : { tool: tool.name, allowed: decision === 'allow', source, reason }
      emit({ type: 'permission', ...ruling })
      context.transcript({
        type: 'system',
        subtype: 'permission',
        ...ruling,
        timestamp: new Date(clock.now()).toISOString(),
      })
      return ruling
    },
  }
}

interface Question {
  tool: string
  input: JsonObject
}

async function ask(options: GatekeeperOptions, question: Question, why: string): Promise<Ruling> {
  const { context, clock, askMs, signal } = options
  const { tool } = question
  const denied = (source: Ruling['source'], reason: string): Ruling => ({
    tool,
    allowed: false,
    source,
    reason,
  })
  if (!context.permission) return denied('nobody', `${why}; nobody is there to ask`)
  let release: () => void = () => {}
  const unanswered = new Promise<Ruling>(resolve => {
    const timer = clock.timer(askMs, () => resolve(denied('time', `${why}; no answer within ${askMs} ms`)))
    const abort = (): void => resolve(denied('nobody', 'stopped while it was asked'))
    signal.addEventListener('abort', abort, { once: true })
    release = () => {
      timer.cancel()
      signal.removeEventListener('abort', abort)
    }
  })
  const answered = context
    .permission({ ...question, why })
    .then(({ allowed, reason, source = 'person' }): Ruling => ({ tool, allowed, source, reason }))
    .catch((error: unknown) => denied('nobody', `it could not be asked: ${String(error)}`))
  return Promise.race([answered, unanswered]).finally(release)
}
