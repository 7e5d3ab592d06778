import type { AnyNode, CallExpression, MemberExpression, NewExpression } from 'acorn'
import type { LintContext } from './lint-script.ts'
import { memberName, unchained } from './primitive-call.ts'

const CLOCK = 'use run.startedAt, or pass a time in args'
const CHANCE = 'use an index in the prompt, or pass a seed in args'

/** Plain uses of the clock and of chance are refused; roundabout ones are warned of, and throw when they run. */
export function lintDeterminism(
  node: CallExpression | NewExpression | MemberExpression,
  ancestors: readonly AnyNode[],
  context: LintContext,
): void {
  const found = node.type === 'MemberExpression' ? bareReference(node, ancestors) : clockOrChance(node)
  if (found === undefined || !context.isFree(found.root, ancestors)) return
  context.report({
    rule: 'determinism',
    severity: found.plain ? 'error' : 'warning',
    offset: node.start,
    message: `${found.what} is not available: a resumed run must do the same again; ${found.wayOut}`,
  })
}

interface Found {
  what: string
  /** The global that must not be shadowed. */
  root: string
  plain: boolean
  wayOut: string
}

function clockOrChance(node: CallExpression | NewExpression): Found | undefined {
  const callee = unchained(node.callee)
  if (callee === undefined) return undefined
  const target = globalName(callee)
  if (target?.name === 'Date') {
    if (node.type === 'NewExpression') {
      return node.arguments.length === 0
        ? { ...target, what: 'new Date() without arguments', wayOut: CLOCK }
        : undefined
    }
    const plain = target.plain && node.arguments.length === 0
    return { root: target.root, plain, what: 'Date() as a function', wayOut: CLOCK }
  }
  return node.type === 'CallExpression' && callee.type === 'MemberExpression' ? member(callee) : undefined
}

/** `const now = Date.now`: not refused, since it may never be called. */
function bareReference(node: MemberExpression, ancestors: readonly AnyNode[]): Found | undefined {
  const parent = ancestors.at(-2)
  const outer = parent?.type === 'ChainExpression' ? ancestors.at(-3) : parent
  if (outer?.type === 'CallExpression' && unchained(outer.callee) === node) return undefined
  if (outer?.type === 'UnaryExpression' && outer.operator === 'typeof') return undefined
  const found = member(node)
  return found && { ...found, plain: false }
}

function member(node: MemberExpression): Found | undefined {
  const object = unchained(node.object)
  const target = object && globalName(object)
  if (target === undefined) return undefined
  const what = `${target.name}.${memberName(node) ?? ''}`
  const plain = target.plain && !node.computed
  if (what === 'Date.now') return { root: target.root, plain, what: 'Date.now()', wayOut: CLOCK }
  if (what === 'Math.random') return { root: target.root, plain, what: 'Math.random()', wayOut: CHANCE }
  return undefined
}

interface GlobalName {
  name: string
  root: string
  plain: boolean
}

/** `Date` and `globalThis.Date`. */
function globalName(node: AnyNode): GlobalName | undefined {
  if (node.type === 'Identifier') return { name: node.name, root: node.name, plain: true }
  if (node.type !== 'MemberExpression' || node.object.type !== 'Identifier') return undefined
  const name = memberName(node)
  if (node.object.name !== 'globalThis' || name === undefined) return undefined
  return { name, root: 'globalThis', plain: false }
}
