import type { AnyNode, CallExpression } from 'acorn'
import type { LintContext } from './lint-script.ts'
import { memberName, primitivePromise } from './primitive-call.ts'

/** Calls whose promise nobody holds: a statement of its own, or the callback of `forEach`. */
export function lintFloating(
  node: CallExpression,
  ancestors: readonly AnyNode[],
  context: LintContext,
): void {
  lintForEach(node, ancestors, context)
  let parent = ancestors.at(-2)
  if (parent?.type === 'ChainExpression') parent = ancestors.at(-3)
  if (parent?.type !== 'ExpressionStatement') return
  const name = primitivePromise(node, ancestors, context.isFree)
  if (name === undefined) return
  context.report({
    rule: 'floating-agent',
    severity: 'warning',
    offset: node.start,
    message: `nobody awaits this ${name}(): its result is lost; write \`await\` before it`,
  })
}

function lintForEach(node: CallExpression, ancestors: readonly AnyNode[], context: LintContext): void {
  const { callee } = node
  const callback = node.arguments[0]
  if (callee.type !== 'MemberExpression' || memberName(callee) !== 'forEach') return
  if (callback?.type !== 'ArrowFunctionExpression' && callback?.type !== 'FunctionExpression') return
  if (
    !callback.async &&
    primitivePromise(callback.body, [...ancestors, callback], context.isFree) === undefined
  )
    return
  context.report({
    rule: 'floating-agent',
    severity: 'warning',
    offset: node.start,
    message: 'forEach awaits nothing: use `for … of` with `await`, `parallel` or `pipeline`',
  })
}
