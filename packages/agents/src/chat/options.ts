import type { ModelPrice } from '@tutti/protocol'
import type { Clock, Random } from '@tutti/runtime'
import type { Governor } from '../governor/governor.ts'
import type { Endpoint } from '../model/endpoint.ts'
import type { Workspace } from '../tools/workshop.ts'
import type { ChatConfig, ChatMessage } from './types.ts'

export interface ChatOptions {
  /** From `configuredEndpoint`. Without one every turn fails and says what to set. */
  endpoint: Endpoint | undefined
  /** Alias → model id; wins over the endpoint's own aliases. */
  models?: Record<string, string>
  /** Where tools work. Its `permissions` and `askMs` are not used: those of the configuration are. */
  workspace: Workspace
  /** Beside the project, open to tools as well. Those that do not exist are passed over. */
  additionalDirectories?: readonly string[]
  /** `false`: CLAUDE.md and AGENTS.md of the project are not told to the model. */
  projectInstructions?: boolean
  config: ChatConfig
  /** What was said before, oldest first. Uses of tools without a result are given one. */
  messages?: readonly ChatMessage[]
  /** Shared with the backends of a program that are on the same account. */
  governor?: Governor
  /** Model id → price; wins over the table that comes along. */
  prices?: Record<string, ModelPrice>
  /** Of one answer. Default 16,000 for Anthropic, which demands a number; else the endpoint's. */
  maxOutputTokens?: number
  /** How often a request that was turned away or lost is sent again. Default 5. */
  retries?: number
  clock?: Clock
  random?: Random
}
