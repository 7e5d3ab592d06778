import type { AnyNode, CallExpression } from 'acorn'
import type { LintContext } from './lint-script.ts'
import { identifierName, memberName, primitivePromise } from './primitive-call.ts'

/** `parallel([agent(…)])` and `parallel(items.map(i => agent(…)))`: promises where functions belong. */
export function lintParallel(
  node: CallExpression,
  ancestors: readonly AnyNode[],
  context: LintContext,
): void {
  if (identifierName(node.callee) !== 'parallel' || !context.isFree('parallel', ancestors)) return
  const [list] = node.arguments
  const isPromise: IsPromise = (value, inner = []) => {
    const awaited = value?.type === 'AwaitExpression' ? value.argument : value
    return primitivePromise(awaited, [...ancestors, ...inner], context.isFree) !== undefined
  }
  const culprit = list && promiseIn(list, isPromise)
  if (!culprit) return
  context.report({
    rule: 'promises-not-functions',
    severity: 'warning',
    offset: culprit.start,
    message: 'parallel takes functions, this is a promise: write `() =>` before the call',
  })
}

type IsPromise = (value: AnyNode | null | undefined, inner?: AnyNode[]) => boolean

function promiseIn(list: AnyNode, isPromise: IsPromise): AnyNode | undefined {
  if (list.type === 'ArrayExpression') return list.elements.find(element => isPromise(element)) ?? undefined
  if (list.type !== 'CallExpression' || list.callee.type !== 'MemberExpression') return undefined
  const [callback] = list.arguments
  if (memberName(list.callee) !== 'map' || callback === undefined) return undefined
  if (callback.type !== 'ArrowFunctionExpression' && callback.type !== 'FunctionExpression') return undefined
  if (callback.body.type !== 'BlockStatement') {
    return callback.async || isPromise(callback.body, [callback]) ? callback.body : undefined
  }
  const returned = callback.body.body.find(statement => statement.type === 'ReturnStatement')
  return callback.async || isPromise(returned?.argument, [callback, callback.body])
    ? (returned ?? callback)
    : undefined
}
