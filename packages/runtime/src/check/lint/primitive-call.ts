import type { AnyNode, CallExpression, Expression, Super } from 'acorn'
import type { IsFree } from '../scope.ts'

const PROMISING: ReadonlySet<string> = new Set(['agent', 'workflow', 'parallel', 'pipeline', 'ask'])
const CHAIN: ReadonlySet<string> = new Set(['then', 'catch', 'finally'])

/**
 * `agent` for `agent(…)`, `agent.settled` for that, and so on, also with `.then(…)` after it; undefined for
 * anything that is not a promise of a primitive.
 */
export function primitivePromise(
  node: AnyNode | null | undefined,
  ancestors: readonly AnyNode[],
  isFree: IsFree,
): string | undefined {
  const call = unchained(node)
  if (call?.type !== 'CallExpression') return undefined
  const name = calleeName(call.callee)
  if (name !== undefined) {
    const [root] = name.split('.')
    return root !== undefined && isFree(root, ancestors) ? name : undefined
  }
  const { callee } = call
  if (callee.type !== 'MemberExpression' || !CHAIN.has(memberName(callee) ?? '')) return undefined
  return primitivePromise(callee.object, ancestors, isFree)
}

function calleeName(callee: CallExpression['callee']): string | undefined {
  if (callee.type === 'Identifier') return PROMISING.has(callee.name) ? callee.name : undefined
  if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier') return undefined
  return callee.object.name === 'agent' && memberName(callee) === 'settled' ? 'agent.settled' : undefined
}

/** The expression within `a?.b()`. */
export function unchained(node: AnyNode | null | undefined): AnyNode | undefined {
  return node?.type === 'ChainExpression' ? node.expression : (node ?? undefined)
}

/** Name of the property of `a.b` and `a['b']`. */
export function memberName(node: { computed: boolean; property: AnyNode }): string | undefined {
  const { property } = node
  if (!node.computed) return property.type === 'Identifier' ? property.name : undefined
  return property.type === 'Literal' && typeof property.value === 'string' ? property.value : undefined
}

/** Name of a plain identifier. */
export function identifierName(node: Expression | Super): string | undefined {
  return node.type === 'Identifier' ? node.name : undefined
}
