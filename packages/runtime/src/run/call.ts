import type { JsonObject } from '@tutti/protocol'
import type { AgentTypeDefinition } from '../ports/agent-types.ts'
import { canonicalJson } from '../schema/canonical-json.ts'
import { sha256 } from '../schema/hash.ts'
import type { SchemaValidator } from '../schema/types.ts'
import type { CallOptions } from './call-options.ts'
import type { GoingOn } from './going-on.ts'
import type { TreeSource } from './tree-ledger.ts'
import type { CacheMode } from './types.ts'

/** One `agent()` of the script, with every default applied. */
export interface Call {
  /** Sandbox id of the promise that waits for it. */
  id: number
  path: string
  settled: boolean
  prompt: string
  options: CallOptions
  /** Where it goes on, when it continues in the worktree of another. */
  source?: TreeSource
  label: string
  phase?: string
  model?: string
  agentType: AgentTypeDefinition
  /** Name of the backend, part of the key. */
  backend: string
  /** The backend as asked for, which may say more than its name. */
  wantedBackend?: string
  validator?: SchemaValidator
  cache: CacheMode
  canonical: JsonObject
  key: string
  /** Ordinal among the calls of the same key, in the order of issue, from 1. */
  n: number
  index: number
  place?: string
  /** Its first try goes on where an earlier one ended. */
  goingOn?: GoingOn
}

export interface CallContent {
  path: string
  prompt: string
  options: CallOptions
  source?: TreeSource
  model?: string
  agentType: AgentTypeDefinition
  backend: string
}

/** What the key covers: effective values, absent fields left out. docs/resume.md lists the fields. */
export function canonicalCall(content: CallContent): JsonObject {
  const { options, agentType } = content
  const fields = {
    kind: 'agent',
    path: content.path,
    prompt: content.prompt,
    schema: options.schema,
    model: content.model,
    effort: options.effort,
    agentType: agentType.name,
    agentTypeHash: agentType.hash,
    tools: options.tools,
    maxTurns: options.maxTurns,
    isolation: content.source === undefined ? options.isolation : { from: content.source.origin },
    cwd: options.cwd === undefined ? undefined : normalPath(options.cwd),
    backend: content.backend,
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject
}

/** The content key: `v2:` + sha256 of the canonical JSON (RFC 8785). */
export function callKey(canonical: JsonObject): string {
  return `v2:${sha256(canonicalJson(canonical))}`
}

function normalPath(path: string): string {
  const parts = path.split(/[/\\]/).filter(part => part !== '' && part !== '.')
  return parts.join('/') || '.'
}
