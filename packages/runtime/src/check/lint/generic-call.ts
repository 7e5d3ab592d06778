import type { AnyNode, BinaryExpression } from 'acorn'
import type { LintContext } from './lint-script.ts'

const PRIMITIVES: ReadonlySet<string> = new Set(['agent', 'parallel', 'pipeline', 'workflow', 'ask'])

/** `agent<Report>('…')` is two comparisons in JavaScript. */
export function lintGenericCall(
  node: BinaryExpression,
  ancestors: readonly AnyNode[],
  context: LintContext,
): void {
  const { left } = node
  if (node.operator !== '>' || left.type !== 'BinaryExpression' || left.operator !== '<') return
  const callee = left.left.type === 'AwaitExpression' ? left.left.argument : left.left
  if (callee.type !== 'Identifier' || !PRIMITIVES.has(callee.name)) return
  if (!context.isFree(callee.name, ancestors)) return
  context.report({
    rule: 'typescript',
    severity: 'error',
    offset: callee.end,
    message:
      'TypeScript syntax (type arguments): a script is plain JavaScript; remove them and use the schema option',
  })
}
