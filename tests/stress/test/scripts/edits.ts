import * as fc from 'fast-check'
import { mapParts, nodesOf, type CallNode, type Node, type Program } from './program.ts'

/** A change of a program. `at` chooses the node, whatever the number of nodes. */
export interface Edit {
  what: 'prompt' | 'label' | 'insert' | 'remove' | 'cache' | 'swap'
  at: number
}

export function arbitraryEdit(): fc.Arbitrary<Edit> {
  return fc.record({
    what: fc.constantFrom('prompt', 'label', 'insert', 'remove', 'cache', 'swap'),
    at: fc.nat({ max: 1000 }),
  })
}

/** The program after an edit; itself when there is nothing to edit in it. */
export function edit(program: Program, { what, at }: Edit): Program {
  const all = [program.main, ...program.children].flatMap(nodesOf)
  const candidates = all.filter(node => APPLIES[what](node))
  const target = candidates[at % Math.max(1, candidates.length)]
  if (target === undefined) return program
  return replace(program, target, changed(target, what))
}

const APPLIES: Record<Edit['what'], (node: Node) => boolean> = {
  prompt: isCall,
  label: isCall,
  cache: isCall,
  insert: () => true,
  remove: node => 'parts' in node && node.parts.length > 1,
  swap: node => 'parts' in node && node.parts.length > 1,
}

function isCall(node: Node): boolean {
  return node.kind === 'call'
}

function changed(node: Node, what: Edit['what']): Node {
  if (what === 'insert') return { kind: 'seq', parts: [NEW_CALL, node] }
  if (node.kind === 'call') {
    if (what === 'prompt') return { ...node, prompt: `${node.prompt}X` }
    if (what === 'label') return { ...node, label: `${node.label}R` }
    if (what === 'cache') return { ...node, cache: node.cache === 'auto' ? 'content' : 'auto' }
  }
  if (!('parts' in node)) return node
  if (what === 'remove') return { ...node, parts: node.parts.slice(1) }
  return { ...node, parts: [...node.parts.slice(1), ...node.parts.slice(0, 1)] }
}

const NEW_CALL: CallNode = {
  kind: 'call',
  prompt: 'new',
  label: 'N',
  twin: false,
  counting: false,
  settled: false,
  schema: false,
  cache: 'auto',
  refused: false,
}

/** Found by identity: a program is a tree, no node stands in it twice. */
function replace(program: Program, target: Node, by: Node): Program {
  const change = (node: Node): Node => (node === target ? by : mapParts(node, change))
  return { main: change(program.main), children: program.children.map(change) }
}
