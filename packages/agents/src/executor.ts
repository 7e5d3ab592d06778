import {
  WorkflowInputError,
  type AgentCall,
  type AgentContext,
  type AgentEvent,
  type AgentExecution,
  type AgentExecutor,
  type AgentTypeDefinition,
} from '@tutti/runtime'
import type { Backend, BackendEntry } from './backend.ts'
import { failedBeforeStart } from './outcome.ts'
import { withCost, type Prices } from './prices.ts'

export interface ExecutorOptions {
  backends: Record<string, BackendEntry>
  /** Runs the calls that ask for no other; a name, or `name:argument`. */
  default: string
  /** Of the models; without them nothing is said about cost. */
  prices?: Prices
}

/** The built-in agent type whose prompts are commands. */
export const SHELL_TYPE = 'shell'

/**
 * Runs each call on the backend it asks for, commands on `shell`, and the rest on the default. A backend is
 * loaded when its first agent starts. Throws WorkflowInputError `option-invalid` for an unknown one.
 */
export function createExecutor(options: ExecutorOptions): AgentExecutor {
  const { backends } = options
  const loading = new Map<string, Promise<Backend>>()
  const loaded = new Map<string, Backend>()
  const fallback = resolve(backends, options.default)

  function route(call: { backend?: string; agentType: AgentTypeDefinition }): Resolved {
    const named = call.backend === undefined ? fallback : resolve(backends, call.backend)
    const wanted = named.argument === undefined && named.name === fallback.name ? fallback : named
    const shell =
      isShellType(call.agentType) && !wanted.entry.everyType && Object.hasOwn(backends, SHELL_TYPE)
    return shell ? resolve(backends, SHELL_TYPE) : wanted
  }

  function load({ full, entry, argument }: Resolved): Promise<Backend> {
    let promise = loading.get(full)
    if (!promise) {
      promise = entry.load(argument).then(backend => {
        loaded.set(full, backend)
        return backend
      })
      loading.set(full, promise)
    }
    return promise
  }

  return {
    backendOf: call => route(call).name,
    capabilities: backend => resolve(backends, backend).entry.capabilities,
    start(call, context) {
      const resolved = route(call)
      const backend = loaded.get(resolved.full)
      const execution = backend
        ? backend.start(call, context)
        : startWhenLoaded(load(resolved), { call, context, name: resolved.full })
      const { prices } = options
      if (!prices) return execution
      return { ...execution, result: execution.result.then(outcome => withCost(outcome, prices)) }
    },
  }
}

interface Resolved {
  /** Part of keys. */
  name: string
  full: string
  entry: BackendEntry
  argument?: string
}

function resolve(backends: Record<string, BackendEntry>, full: string): Resolved {
  if (Object.hasOwn(backends, full)) return { name: full, full, entry: backends[full] as BackendEntry }
  const colon = full.indexOf(':')
  const name = full.slice(0, colon)
  const entry = colon > 0 && Object.hasOwn(backends, name) ? backends[name] : undefined
  if (entry?.takesArgument) return { name, full, entry, argument: full.slice(colon + 1) }
  const known = Object.entries(backends).map(([key, value]) => (value.takesArgument ? `${key}:<file>` : key))
  throw new WorkflowInputError('option-invalid', `unknown backend "${full}"; known: ${known.join(', ')}`)
}

/** A definition file of that name is an agent of the project, not the shell. */
function isShellType(type: AgentTypeDefinition): boolean {
  return type.name === SHELL_TYPE && type.hash === undefined
}

/** Once there is a backend the agent is its own: nothing of it passes through here. */
function startWhenLoaded(
  loading: Promise<Backend>,
  { call, context, name }: { call: AgentCall; context: AgentContext; name: string },
): AgentExecution {
  let cancelled = false
  let execution: AgentExecution | undefined
  const begun = loading.then(
    backend => {
      if (cancelled || context.signal.aborted)
        return failedBeforeStart('stopped', 'stopped before it started')
      execution = backend.start(call, context)
      return execution.result
    },
    (error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error)
      return failedBeforeStart('backend_unavailable', `backend "${name}" cannot be used: ${reason}`)
    },
  )
  return {
    events: eventsOf(loading.then(() => execution?.events)),
    result: begun,
    cancel(reason) {
      cancelled = true
      execution?.cancel(reason)
    },
  }
}

async function* eventsOf(
  begun: Promise<AgentExecution['events'] | undefined>,
): AsyncGenerator<AgentEvent, void, undefined> {
  const events = await begun.catch(() => undefined)
  if (events) yield* events
}
