import type { AnyNode, Program } from 'acorn'
import { ancestor } from 'acorn-walk'
import type { Report } from '../problem.ts'
import { createScopes, type IsFree } from '../scope.ts'
import { lintDeterminism } from './determinism.ts'
import { lintFloating } from './floating-calls.ts'
import { lintGenericCall } from './generic-call.ts'
import { lintIdentifier } from './globals.ts'
import { lintLineSeparators } from './line-separators.ts'
import { lintModules } from './modules.ts'
import { lintParallel } from './promises-not-functions.ts'

/** What a rule sees of a script. */
export interface LintContext {
  report: Report
  isFree: IsFree
  /** Unknown names that were reported: once each is enough. */
  reported: Set<string>
}

/** Applies every rule on the syntax tree in one walk. */
export function lintScript(program: Program, text: string, report: Report): void {
  const context: LintContext = { report, isFree: createScopes(), reported: new Set() }
  lintLineSeparators(program, text, report)
  const modules = (node: AnyNode): void => lintModules(node, program, report)
  ancestor(program, {
    Identifier: (node, _state, ancestors) => lintIdentifier(node, ancestors, context),
    CallExpression(node, _state, ancestors) {
      lintDeterminism(node, ancestors, context)
      lintParallel(node, ancestors, context)
      lintFloating(node, ancestors, context)
    },
    NewExpression: (node, _state, ancestors) => lintDeterminism(node, ancestors, context),
    MemberExpression: (node, _state, ancestors) => lintDeterminism(node, ancestors, context),
    BinaryExpression: (node, _state, ancestors) => lintGenericCall(node, ancestors, context),
    ImportDeclaration: modules,
    ImportExpression: modules,
    MetaProperty: modules,
    ExportNamedDeclaration: modules,
    ExportDefaultDeclaration: modules,
    ExportAllDeclaration: modules,
  })
}
