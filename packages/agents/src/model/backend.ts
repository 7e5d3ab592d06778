import type { ModelPrice } from '@tutti/protocol'
import {
  systemClock,
  systemRandom,
  type AgentCall,
  type AgentContext,
  type AgentOutcome,
  type Clock,
  type Random,
} from '@tutti/runtime'
import type { Backend } from '../backend.ts'
import { createExecution, type Stage } from '../execution.ts'
import { createAdmission, type Admission } from '../governor/admission.ts'
import { createDoorway } from '../governor/doorway.ts'
import { createGatedFetch } from '../governor/gated-fetch.ts'
import { createGovernor, type Governor } from '../governor/governor.ts'
import { createSignsOfLife } from '../governor/signs-of-life.ts'
import { failedBeforeStart } from '../outcome.ts'
import type { Kit } from '../tools/kit.ts'
import type { Opening, Workshop, Workspace } from '../tools/workshop.ts'
import { createMeter } from './cost.ts'
import { converse } from './conversation.ts'
import { NO_ENDPOINT, outputTokensOf, type Endpoint } from './endpoint.ts'
import { createPrefixGroups, type PrefixPass } from './prefix-groups.ts'
import { prefixOf } from './prefix.ts'
import { loadModel } from './provider.ts'
import { noModel, resolveModel } from './resolve-model.ts'
import { hiddenIn } from '../hidden-in.ts'
import { credentialHider, redactor } from './secrets.ts'

export interface ModelOptions {
  /** From `configuredEndpoint`. */
  endpoint: Endpoint | undefined
  /** Alias → model id; wins over the endpoint's own aliases. */
  models?: Record<string, string>
  /** Where a call names no model; wins over the endpoint's. */
  model?: string
  /** Of one answer. Default 16,000 for Anthropic, which demands a number; else the endpoint's. */
  maxOutputTokens?: number
  /** Where agents use tools; absent: they have none but the one for their result. */
  workspace?: Workspace
  /** Shared by the backends of a program, so that those on one account know of each other. */
  governor?: Governor
  /** How often a refused request is sent again within a conversation. Default 5. */
  retriesInPlace?: number
  /** How long agents wait for the first of their kind to be answered. Default 5000; 0: not at all. */
  prefixStaggerMs?: number
  /** Model id → price; wins over the table that comes along. */
  prices?: Record<string, ModelPrice>
  clock?: Clock
  random?: Random
}

const RETRIES = 5
const STAGGER_MS = 5000
/** Agents that are equipped and have not yet sent anything. */
const BEGINNERS = 64
/** Characters; shorter beginnings are not cached by any endpoint. */
const WORTH_CACHING = 4000

/** Answers calls with a model behind an HTTP endpoint, which may use tools in the workspace. */
export function createModelBackend(options: ModelOptions): Backend {
  if (options.endpoint) return backendAt(options.endpoint, options)
  return {
    start: (_, context) =>
      createExecution(context, async () => failedBeforeStart('backend_unavailable', NO_ENDPOINT)),
  }
}

function backendAt(endpoint: Endpoint, options: ModelOptions): Backend {
  const { workspace, clock = systemClock(), random = systemRandom() } = options
  const redact = redactor(endpoint)
  const hide = credentialHider(endpoint)
  const maxOutputTokens = outputTokensOf(endpoint, options.maxOutputTokens)
  const gate = (options.governor ?? createGovernor(clock)).gateOf(endpoint)
  const meter = createMeter(endpoint.baseUrl, options.prices)
  const groups = createPrefixGroups(clock, options.prefixStaggerMs ?? STAGGER_MS)
  const doorway = createDoorway(BEGINNERS)
  let workshop: Promise<Workshop> | undefined

  function gatedFetch({ emit }: Stage, pass: PrefixPass, admission: Admission): typeof fetch {
    let underWay = false
    return createGatedFetch({
      gate,
      admission,
      clock,
      random,
      retries: options.retriesInPlace ?? RETRIES,
      patient: () => underWay,
      waiting: () => emit({ type: 'activity' }),
      answering() {
        underWay = true
        pass.answered()
      },
    })
  }

  async function perform(call: AgentCall, context: AgentContext, stage: Stage): Promise<AgentOutcome> {
    const modelId = modelOf(call, endpoint, options)
    if (modelId === undefined) return failedBeforeStart('model_not_found', redact(noModel(endpoint)))
    stage.emit({ type: 'model', model: modelId })
    const signs = createSignsOfLife(clock, () => stage.emit({ type: 'activity' }))
    const sign = signs()
    const leave = await doorway.enter(stage.signal)
    sign.cancel()
    try {
      return await talk(discreet({ call, context, stage }, hide), {
        modelId,
        admission: createAdmission(gate, signs, leave),
      })
    } finally {
      leave()
    }
  }

  async function talk(
    { call, context, stage }: Opening,
    { modelId, admission }: { modelId: string; admission: Admission },
  ): Promise<AgentOutcome> {
    if (workspace) workshop ??= openShop(workspace, clock)
    const kit = await equip(workshop, { call, context, stage })
    if (kit && 'refused' in kit)
      return failedBeforeStart(kit.escapes ? 'permission_denied' : 'invalid_request', redact(kit.refused))
    try {
      const prefix = prefixOf(call, modelId, kit)
      const pass = await groups.enter(
        prefix.length < WORTH_CACHING ? call.transcriptId : prefix.hash,
        stage.signal,
      )
      try {
        const model = await loadModel(endpoint, modelId, gatedFetch(stage, pass, admission))
        const given = {
          call,
          context,
          stage,
          clock,
          model,
          admission,
          redact,
          hide,
          maxOutputTokens,
          prefix,
          meter,
          wire: endpoint.wire,
        }
        return await converse(kit ? { ...given, kit } : given)
      } finally {
        pass.ended()
      }
    } finally {
      await kit?.end()
    }
  }

  return { start: (call, context) => createExecution(context, stage => perform(call, context, stage)) }
}

/** The same, with nothing that tells a credential: a tool may have come upon it. */
function discreet({ call, context, stage }: Opening, hide: (text: string) => string): Opening {
  return {
    call,
    context: { ...context, transcript: line => context.transcript(hiddenIn(line, hide)) },
    stage: { ...stage, emit: event => stage.emit(hiddenIn(event, hide)) },
  }
}

async function equip(
  workshop: Promise<Workshop> | undefined,
  opening: Opening,
): Promise<Kit | { refused: string; escapes: boolean } | undefined> {
  try {
    return await (await workshop)?.open(opening)
  } catch (error) {
    return { refused: error instanceof Error ? error.message : String(error), escapes: false }
  }
}

async function openShop(workspace: Workspace, clock: Clock): Promise<Workshop> {
  const { openWorkshop } = await import('../tools/workshop.ts')
  return openWorkshop(workspace, clock)
}

function modelOf(call: AgentCall, endpoint: Endpoint, { models, model }: ModelOptions): string | undefined {
  const wanted = [call.model, call.agentType.model, model].find(
    name => name !== undefined && name !== 'inherit',
  )
  return resolveModel(wanted, endpoint, models)
}
