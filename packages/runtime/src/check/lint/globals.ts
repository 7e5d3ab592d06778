import type { AnyNode, Identifier } from 'acorn'
import { isMetaExport } from '../meta-statement.ts'
import { nearest } from '../nearest.ts'
import { ABSENT_GLOBALS, CODE_GENERATION, KNOWN_GLOBALS } from './global-names.ts'
import type { LintContext } from './lint-script.ts'

/** Looking for similar names takes its time; more are not read anyway. */
const MAX_GUESSES = 20

/** Free names that do not exist in a script, and those that make code from text. */
export function lintIdentifier(node: Identifier, ancestors: readonly AnyNode[], context: LintContext): void {
  const { name } = node
  if (KNOWN_GLOBALS.has(name) || context.reported.has(name)) return
  const parent = ancestors.at(-2)
  if (parent?.type === 'UnaryExpression' && parent.operator === 'typeof') return
  // What is wrong in meta is said by its own rules.
  if (isMetaExport(ancestors[1]) || !context.isFree(name, ancestors)) return
  const generates = CODE_GENERATION.has(name)
  if (name === 'Function' && !isCallee(node, parent)) return
  context.reported.add(name)
  context.report({
    rule: generates ? 'code-generation' : 'unknown-global',
    severity: 'warning',
    offset: node.start,
    message: generates ? `${name} throws here: code is not made from text` : absent(name, context),
  })
}

function absent(name: string, { reported }: LintContext): string {
  const advice = ABSENT_GLOBALS.get(name)
  if (advice !== undefined) return `${name} does not exist in a script: ${advice}`
  const near = reported.size > MAX_GUESSES ? undefined : nearest(name, KNOWN_GLOBALS)
  return `${name} is not defined${near === undefined ? '' : `; did you mean ${near}?`}`
}

function isCallee(node: Identifier, parent: AnyNode | undefined): boolean {
  return (parent?.type === 'CallExpression' || parent?.type === 'NewExpression') && parent.callee === node
}
