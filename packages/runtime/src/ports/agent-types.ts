/** A named agent definition. */
export interface AgentTypeDefinition {
  name: string
  description?: string
  /** Exact tool names; absent: all the backend has. */
  tools?: string[]
  model?: string
  /** Backend that runs it unless the call names one; absent: the run's. */
  backend?: string
  /** System prompt. */
  prompt?: string
  /** sha256 of the definition file, part of the cache key; absent for built-in types. */
  hash?: string
  /** Where it was found, for messages and lists. */
  source: string
}

/** Where agent definitions come from. */
export interface AgentTypes {
  /** Undefined when there is no such type. */
  find(name: string): Promise<AgentTypeDefinition | undefined>
  list(): Promise<AgentTypeDefinition[]>
}
