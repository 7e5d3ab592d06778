/** A random script as a tree. Rendered by `render.ts`, changed by `edits.ts`. */
export type Node =
  | CallNode
  | { kind: 'seq' | 'parallel' | 'all' | 'race'; parts: Node[] }
  /** `feed`: what a stage returned becomes part of the prompts of the next. */
  | { kind: 'pipeline'; items: number; feed: boolean; stages: Node[] }
  | { kind: 'loop'; times: number; feed: boolean; body: Node }
  /** Repeats while fewer output tokens were spent, at most four times. */
  | { kind: 'budget'; tokens: number; body: Node }
  | { kind: 'guard'; body: Node; fallback: Node }
  | { kind: 'branch'; test: Node; even: Node; odd: Node }
  /** `first` is started, then `meanwhile` is awaited, then `first`. */
  | { kind: 'later'; first: Node; meanwhile: Node }
  | { kind: 'sleep'; ms: number }
  /** `body` against a timer that is cleared when the body was quicker. */
  | { kind: 'deadline'; ms: number; body: Node }
  | { kind: 'child'; child: number }
  | { kind: 'throw' }

export interface CallNode {
  kind: 'call'
  prompt: string
  label: string
  /** Where it stands does not become part of the prompt: such calls have twins. */
  twin: boolean
  /** How many outcomes the script has seen becomes part of the prompt. */
  counting: boolean
  settled: boolean
  schema: boolean
  cache: 'auto' | 'content' | 'never'
  /** The runtime refuses it. */
  refused: boolean
}

export interface Program {
  main: Node
  children: Node[]
}

/** The node and all below it. */
export function nodesOf(node: Node): Node[] {
  return [node, ...partsOf(node).flatMap(nodesOf)]
}

/** Whether its value may depend on the order in which agents finish. */
export function dependsOnOrder(program: Program): boolean {
  return [program.main, ...program.children]
    .flatMap(nodesOf)
    .some(node => ORDERED.has(node.kind) || (node.kind === 'call' && (node.counting || node.twin)))
}

const ORDERED: ReadonlySet<Node['kind']> = new Set(['race', 'budget', 'sleep', 'deadline', 'throw'])

export function partsOf(node: Node): Node[] {
  switch (node.kind) {
    case 'seq':
    case 'parallel':
    case 'all':
    case 'race':
      return node.parts
    case 'pipeline':
      return node.stages
    case 'loop':
    case 'budget':
    case 'deadline':
      return [node.body]
    case 'guard':
      return [node.body, node.fallback]
    case 'branch':
      return [node.test, node.even, node.odd]
    case 'later':
      return [node.first, node.meanwhile]
    case 'call':
    case 'sleep':
    case 'child':
    case 'throw':
      return []
  }
}

/** The node with its direct parts changed. */
export function mapParts(node: Node, change: (part: Node) => Node): Node {
  switch (node.kind) {
    case 'seq':
    case 'parallel':
    case 'all':
    case 'race':
      return { ...node, parts: node.parts.map(change) }
    case 'pipeline':
      return { ...node, stages: node.stages.map(change) }
    case 'loop':
    case 'budget':
    case 'deadline':
      return { ...node, body: change(node.body) }
    case 'guard':
      return { ...node, body: change(node.body), fallback: change(node.fallback) }
    case 'branch':
      return { ...node, test: change(node.test), even: change(node.even), odd: change(node.odd) }
    case 'later':
      return { ...node, first: change(node.first), meanwhile: change(node.meanwhile) }
    case 'call':
    case 'sleep':
    case 'child':
    case 'throw':
      return node
  }
}
