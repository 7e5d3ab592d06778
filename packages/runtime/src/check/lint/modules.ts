import type { AnyNode, Program } from 'acorn'
import { isMetaExport } from '../meta-statement.ts'
import type { Report } from '../problem.ts'

/** A script is one file: nothing comes in, and only meta goes out. */
export function lintModules(node: AnyNode, program: Program, report: Report): void {
  const message = refusal(node, program)
  if (message !== undefined) report({ rule: 'module', severity: 'error', offset: node.start, message })
}

function refusal(node: AnyNode, program: Program): string | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
      return 'import is not available: a script is one file without modules; let an agent do what needs a package'
    case 'ImportExpression':
      return 'import() is not available: a script is one file without modules; let an agent do what needs a package'
    case 'MetaProperty':
      return node.meta.name === 'import'
        ? 'import.meta is not available: a script does not know its file'
        : undefined
    case 'ExportDefaultDeclaration':
      return 'only meta is exported: write the body as plain statements and `return` the result'
    case 'ExportNamedDeclaration':
      return isMetaExport(node) && program.body.includes(node) ? secondMeta(node, program) : ONLY_META
    case 'ExportAllDeclaration':
      return ONLY_META
    default:
      return undefined
  }
}

const ONLY_META = 'only meta is exported: remove this `export`, and `return` the result'

function secondMeta(node: AnyNode, program: Program): string | undefined {
  return program.body.find(isMetaExport) === node ? undefined : 'meta is exported twice'
}
