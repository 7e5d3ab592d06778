import { systemClock, type AgentCall, type Clock } from '@tutti/runtime'
import type { Backend } from '../backend.ts'
import { createExecution } from '../execution.ts'
import { failedBeforeStart } from '../outcome.ts'
import { converse } from './conversation.ts'
import type { Endpoint } from './endpoint.ts'
import { loadModel } from './provider.ts'
import { redactor } from './secrets.ts'

export interface ModelOptions {
  /** From `configuredEndpoint`. */
  endpoint: Endpoint | undefined
  /** Alias → model id; wins over the endpoint's own aliases. */
  models?: Record<string, string>
  /** Where a call names no model; wins over the endpoint's. */
  model?: string
  /** Of one answer. Default 16,000 for Anthropic, which demands a number; else the endpoint's. */
  maxOutputTokens?: number
  clock?: Clock
}

const ANTHROPIC_OUTPUT_TOKENS = 16_000

/** Answers calls with a model behind an HTTP endpoint. Its agents have no tools but the one for their result. */
export function createModelBackend(options: ModelOptions): Backend {
  const clock = options.clock ?? systemClock()
  const { endpoint } = options
  if (!endpoint) {
    const message = 'no model endpoint is configured; set ANTHROPIC_API_KEY or OPENAI_API_KEY'
    return {
      start: (_, context) =>
        createExecution(context, async () => failedBeforeStart('backend_unavailable', message)),
    }
  }
  const redact = redactor(endpoint)
  const maxOutputTokens =
    options.maxOutputTokens ?? (endpoint.wire === 'anthropic' ? ANTHROPIC_OUTPUT_TOKENS : undefined)

  return {
    start: (call, context) =>
      createExecution(context, async stage => {
        const modelId = modelOf(call, endpoint, options)
        if (modelId === undefined) {
          const message = `no model is named and ${endpoint.baseUrl} has no default; set OPENAI_MODEL`
          return failedBeforeStart('model_not_found', redact(message))
        }
        stage.emit({ type: 'model', model: modelId })
        const model = await loadModel(endpoint, modelId)
        return converse({ call, context, stage, clock, model, redact, maxOutputTokens, wire: endpoint.wire })
      }),
  }
}

function modelOf(
  call: AgentCall,
  endpoint: Endpoint,
  { models = {}, model }: ModelOptions,
): string | undefined {
  const wanted = [call.model, call.agentType.model, model].find(
    name => name !== undefined && name !== 'inherit',
  )
  if (wanted === undefined) return endpoint.model
  if (Object.hasOwn(models, wanted)) return models[wanted]
  return Object.hasOwn(endpoint.aliases, wanted) ? endpoint.aliases[wanted] : wanted
}
