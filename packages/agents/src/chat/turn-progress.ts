import type { Cause, JsonValue } from '@tutti/protocol'
import type { Endpoint } from '../model/endpoint.ts'
import type { Asker } from './ask-model.ts'
import type { History } from './history.ts'
import type { ResultDesk } from './result-desk.ts'
import type { Toolset } from './toolset.ts'
import type { ChatConfig, TurnEnd, TurnOutcome, TurnStage, TurnUsage } from './types.ts'

/** What a turn is played with. */
export interface TurnParts {
  endpoint: Endpoint
  history: History
  toolset: Toolset
  asker: Asker
  stage: TurnStage
  config(): ChatConfig
  modelId(): string | undefined
  fallbackId(): string | undefined
  /** What was said outside of the turn in the meantime goes into the history. */
  catchUp(): void
  updatePermissions(updates: readonly JsonValue[]): void
  hide(text: string): string
  redact(text: string): string
}

/** What came of a turn so far. */
export interface Progress {
  text: string
  stopReason: string | null
  answers: number
  apiMs: number
  usage: Map<string, TurnUsage>
  denials: TurnEnd['denials']
  nudged: boolean
  force: boolean
  /** Answers without content in a row. */
  empty: number
  desk?: ResultDesk
}

/** How a turn ends. */
export interface Ending {
  outcome: TurnOutcome
  cause?: Cause
  error?: string
  value?: JsonValue
}

export function newProgress(): Progress {
  return {
    text: '',
    stopReason: null,
    answers: 0,
    apiMs: 0,
    usage: new Map(),
    denials: [],
    nudged: false,
    force: false,
    empty: 0,
  }
}
