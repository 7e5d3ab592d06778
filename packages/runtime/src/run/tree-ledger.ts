import type { JsonObject, JsonValue, WorktreeReport } from '@tutti/protocol'
import { WorkflowInputError } from '../errors/errors.ts'
import type { AgentOutcome } from '../ports/agent-executor.ts'
import type { Call } from './call.ts'

/** Where an agent goes on that continues in the worktree of an earlier one. */
export interface TreeSource {
  /**
   * Transcript of the agent that worked there last: part of the key. A replayed agent has the same one, and one
   * that ran again another, so whatever builds on it runs again, too.
   */
  origin: string
  tree?: WorktreeReport
  /** Why there is none. */
  problem?: string
}

/** The worktrees of the agents whose ends the script has seen: what `isolation: { from }` can name. */
export interface TreeLedger {
  /** The end of a call was handed to the script. */
  handedOver(call: Call, outcome: AgentOutcome, transcriptId: string): void
  /** What `from` names in the script that runs under `path`. Throws WorkflowInputError. */
  find(from: string | JsonObject, path: string): TreeSource
}

interface Ended {
  transcriptId: string
  isolated: boolean
  ok: boolean
  treePath?: string
}

export function createTreeLedger(): TreeLedger {
  const byLabel = new Map<string, Ended[]>()
  /** The agent that was there last, by the path of the tree. */
  const trees = new Map<string, { origin: string; tree: WorktreeReport }>()

  function labelled(label: string, path: string): TreeSource {
    const ended = byLabel.get(nameOf(path, label)) ?? []
    if (ended.length === 0) {
      throw invalid(`no agent "${shown(label)}" of this script has ended so far; await it first`)
    }
    if (!ended.some(({ isolated }) => isolated)) {
      throw invalid(`agent "${shown(label)}" had no worktree of its own; give it isolation: 'worktree'`)
    }
    const meant = ended.filter(({ ok, treePath }) => ok || treePath !== undefined)
    const places = new Set(meant.map(({ treePath, transcriptId }) => treePath ?? transcriptId))
    if (places.size > 1) {
      const advice = `give what agent.settled() gave for the one you mean`
      throw invalid(
        `${places.size} agents with worktrees of their own are called "${shown(label)}"; ${advice}`,
      )
    }
    const one = meant.at(-1) ?? ended.at(-1)
    const left = one?.treePath === undefined ? undefined : trees.get(one.treePath)
    if (left !== undefined) return left
    const problem = `agent "${shown(label)}" left no changes, so its worktree was removed`
    return { origin: one?.transcriptId ?? '', problem }
  }

  function given(from: JsonObject): TreeSource {
    const tree = isObject(from['worktree']) ? from['worktree'] : from
    const path = tree['path']
    const known = typeof path === 'string' ? trees.get(path) : undefined
    if (known !== undefined) return known
    if (path === undefined && from['status'] !== undefined && from['attempts'] !== undefined) {
      return { origin: '', problem: 'the agent it names left no worktree: it changed nothing, or had none' }
    }
    throw invalid('from is no worktree that an agent of this run has left')
  }

  return {
    handedOver(call, { status, worktree }, transcriptId) {
      const isolated = call.options.isolation !== undefined
      const ended: Ended = { transcriptId, isolated, ok: status === 'ok' }
      if (worktree !== undefined) {
        ended.treePath = worktree.path
        trees.set(worktree.path, { origin: transcriptId, tree: worktree })
      }
      const name = nameOf(call.path, call.label)
      const known = byLabel.get(name)
      if (known === undefined) byLabel.set(name, [ended])
      else known.push(ended)
    },
    find: (from, path) => (typeof from === 'string' ? labelled(from, path) : given(from)),
  }
}

function nameOf(path: string, label: string): string {
  return `${path}\n${label}`
}

function shown(label: string): string {
  return label.slice(0, 80)
}

function invalid(what: string): WorkflowInputError {
  return new WorkflowInputError('option-invalid', `agent(): option "isolation": ${what}`)
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
