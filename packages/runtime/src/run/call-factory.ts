import { boundLabel, type JsonObject, type WorkflowMeta } from '@tutti/protocol'
import { WorkflowInputError } from '../errors/errors.ts'
import type { AgentExecutor } from '../ports/agent-executor.ts'
import type { AgentTypeDefinition, AgentTypes } from '../ports/agent-types.ts'
import type { ScriptEffect } from '../sandbox/types.ts'
import { canonicalJson } from '../schema/canonical-json.ts'
import type { SchemaCompiler } from '../schema/compile-schema.ts'
import type { SchemaValidator } from '../schema/types.ts'
import { callKey, canonicalCall, type Call } from './call.ts'
import { parseCall, type CallOptions } from './call-options.ts'
import { defaultLabel } from './run-state.ts'
import type { TreeLedger } from './tree-ledger.ts'
import type { CacheMode } from './types.ts'

/** Type of a call that names none. */
export const DEFAULT_AGENT_TYPE = 'workflow-subagent'

export interface CallFactoryOptions {
  executor: AgentExecutor
  agentTypes: AgentTypes
  schemas: SchemaCompiler
  model: string | undefined
  backend: string | undefined
  cache: CacheMode | undefined
  trees: TreeLedger
}

type AgentEffect = Extract<ScriptEffect, { type: 'agent' }>

/** Makes calls of what scripts ask for: checks, defaults, keys, ordinals. One per attempt. */
export class CallFactory {
  readonly #options: CallFactoryOptions
  readonly #metas = new Map<string, WorkflowMeta>()
  readonly #types = new Map<string, AgentTypeDefinition>()
  readonly #validators = new Map<string, SchemaValidator>()
  readonly #twins = new Map<string, number>()
  #count = 0

  constructor(options: CallFactoryOptions) {
    this.#options = options
  }

  /** The meta of the script that runs under `path`: its defaults hold for its calls. */
  addScript(path: string, meta: WorkflowMeta): void {
    this.#metas.set(path, meta)
  }

  /** Calls made so far. */
  get count(): number {
    return this.#count
  }

  /** Throws WorkflowInputError for what no agent can be called with. */
  async make(effect: AgentEffect): Promise<Call> {
    const { prompt, options } = parseCall(effect.prompt, effect.options)
    const agentType = await this.#type(options.agentType ?? DEFAULT_AGENT_TYPE)
    narrowed(options.tools, agentType)
    const validator = options.schema === undefined ? undefined : await this.#validator(options.schema)
    const phase = options.phase ?? effect.phase
    const model = options.model ?? this.#modelOf(effect.path, phase) ?? this.#options.model
    const wanted = options.backend ?? agentType.backend ?? this.#options.backend
    const backend = this.#options.executor.backendOf({
      ...(wanted !== undefined && { backend: wanted }),
      agentType,
    })
    const { isolation } = options
    const source =
      typeof isolation === 'object' ? this.#options.trees.find(isolation.from, effect.path) : undefined
    const content = {
      path: effect.path,
      prompt,
      options,
      agentType,
      backend,
      ...(model !== undefined && { model }),
      ...(source !== undefined && { source }),
    }
    const canonical = canonicalCall(content)
    const key = callKey(canonical)
    const n = (this.#twins.get(key) ?? 0) + 1
    this.#twins.set(key, n)
    return {
      id: effect.id,
      settled: effect.settled,
      ...content,
      ...(wanted !== undefined && { wantedBackend: wanted }),
      label: options.label === undefined ? defaultLabel(prompt) : boundLabel(options.label),
      ...(phase !== undefined && { phase }),
      ...(validator !== undefined && { validator }),
      cache: this.#cache(options),
      canonical,
      key,
      n,
      index: ++this.#count,
      ...(effect.place !== undefined && { place: effect.place }),
    }
  }

  #cache(options: CallOptions): CacheMode {
    const { cache } = this.#options
    if (options.cache === 'never' || cache === 'never') return 'never'
    return cache === 'content' ? 'content' : (options.cache ?? 'auto')
  }

  #modelOf(path: string, phase: string | undefined): string | undefined {
    const meta = this.#metas.get(path)
    return meta?.phases?.find(candidate => candidate.title === phase)?.model ?? meta?.model
  }

  async #type(name: string): Promise<AgentTypeDefinition> {
    const known = this.#types.get(name)
    if (known !== undefined) return known
    const found = await this.#options.agentTypes.find(name)
    if (found === undefined) {
      const names = (await this.#options.agentTypes.list()).map(type => type.name)
      throw new WorkflowInputError(
        'agent-type-unknown',
        `agent(): there is no agent type "${name.slice(0, 80)}"; known types: ${names.join(', ')}`,
      )
    }
    this.#types.set(name, found)
    return found
  }

  async #validator(schema: JsonObject): Promise<SchemaValidator> {
    const text = canonicalJson(schema)
    const known = this.#validators.get(text)
    if (known !== undefined) return known
    const compiled = await this.#options.schemas.compile(schema)
    this.#validators.set(text, compiled)
    return compiled
  }
}

function narrowed(tools: string[] | undefined, type: AgentTypeDefinition): void {
  const extra = tools?.filter(tool => type.tools !== undefined && !type.tools.includes(tool)) ?? []
  if (extra.length === 0) return
  throw new WorkflowInputError(
    'option-invalid',
    `agent(): option "tools" may only narrow what agent type "${type.name}" allows (${type.tools?.join(', ')}), but names ${extra.join(', ')}`,
  )
}
