import type { ShownAgent } from './shown-agent.ts'

/** A phase with the agents of it that are shown. `title` is absent for agents without a phase. */
export interface PhaseGroup {
  title?: string
  agents: ShownAgent[]
  /** In order of index; all of `agents` when there is room. */
  shown: ShownAgent[]
}

export interface GroupOptions {
  phases: ReadonlyMap<number, string>
  agents: Iterable<ShownAgent>
  /** Lines for phases, agents and "more" lines together. */
  lines: number
}

/**
 * Phases with the agents that fit. When not all do: running ones first, then failed ones, then those that
 * ended last. A phase that shows some of its agents then needs one line more for the rest; the line of a phase says
 * all that there is to say of one that shows none.
 */
export function groupAgents({ phases, agents, lines }: GroupOptions): PhaseGroup[] {
  const groups = groupByPhase(phases, agents)
  const titles = groups.filter(group => group.title !== undefined).length
  const total = groups.reduce((sum, group) => sum + group.agents.length, 0)
  const room = Math.max(0, lines - titles)
  if (total <= room) return groups.map(group => ({ ...group, shown: group.agents }))

  const ranked = groups.flatMap(group => group.agents).sort(byInterest)
  let size = Math.min(room, total)
  let chosen = new Set(ranked.slice(0, size))
  while (size > 0 && size + hiddenGroups(groups, chosen) > room) {
    size--
    chosen = new Set(ranked.slice(0, size))
  }
  return groups.map(group => ({ ...group, shown: group.agents.filter(row => chosen.has(row)) }))
}

function groupByPhase(phases: ReadonlyMap<number, string>, agents: Iterable<ShownAgent>): PhaseGroup[] {
  const byPhase = new Map<number, ShownAgent[]>(
    [...phases.keys()].sort((a, b) => a - b).map(key => [key, []]),
  )
  const loose: ShownAgent[] = []
  for (const row of [...agents].sort((a, b) => a.index - b.index)) {
    const group = row.phaseIndex === undefined ? undefined : byPhase.get(row.phaseIndex)
    ;(group ?? loose).push(row)
  }
  const groups: PhaseGroup[] = [...byPhase].map(([index, rows]) => ({
    title: phases.get(index),
    agents: rows,
    shown: [],
  }))
  return loose.length === 0 ? groups : [{ agents: loose, shown: [] }, ...groups]
}

function hiddenGroups(groups: PhaseGroup[], chosen: ReadonlySet<ShownAgent>): number {
  return groups.filter(group => needsRestLine(group, row => chosen.has(row))).length
}

/** Whether the agents that are not shown get a line of their own. */
export function needsRestLine({ title, agents }: PhaseGroup, isShown: (row: ShownAgent) => boolean): boolean {
  const shown = agents.filter(isShown).length
  return shown < agents.length && (shown > 0 || title === undefined)
}

function byInterest(a: ShownAgent, b: ShownAgent): number {
  return rank(a) - rank(b) || (b.endedAt ?? 0) - (a.endedAt ?? 0) || a.index - b.index
}

function rank({ state }: ShownAgent): number {
  if (state === 'start') return 0
  return state === 'error' ? 1 : 2
}
