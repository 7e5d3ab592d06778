import type { AnyNode, ExportNamedDeclaration, Expression, Program, VariableDeclaration } from 'acorn'
import type { Report } from './problem.ts'

const SHAPE = "`export const meta = { name: '…', description: '…' }`"

/** The value of `export const meta`, which must be the first statement. */
export function findMeta(program: Program, report: Report): Expression | undefined {
  const first = program.body.find(node => !('directive' in node && node.directive !== undefined))
  const refuse = (offset: number, message: string): void => {
    report({ rule: 'meta', severity: 'error', offset, message })
  }
  const statement = program.body.find(isMetaExport)
  if (statement === undefined) {
    refuse(first?.start ?? 0, `a script begins with ${SHAPE}; ${missing(program)}`)
    return undefined
  }
  if (statement !== first) {
    refuse(first?.start ?? 0, 'export const meta must be the first statement: move this below it')
  }
  const { declaration } = statement
  if (declaration.kind !== 'const') {
    refuse(declaration.start, `meta must be a const: write ${SHAPE}`)
  }
  if (declaration.declarations.length > 1) {
    refuse(
      declaration.declarations[1]?.start ?? 0,
      'meta must be declared alone: move the others to a statement of their own',
    )
  }
  const init = declaration.declarations[0]?.init
  if (!init) {
    refuse(statement.start, `meta has no value: write ${SHAPE}`)
    return undefined
  }
  const object = runsOn(init)
  if (object === undefined) return init
  refuse(object.end, 'meta goes on in the next line: write `;` after its closing brace')
  return object
}

/** True for the one export a script may have. */
export function isMetaExport(node: AnyNode | undefined): node is MetaExport {
  if (node?.type !== 'ExportNamedDeclaration' || node.declaration?.type !== 'VariableDeclaration')
    return false
  const id = node.declaration.declarations[0]?.id
  return id?.type === 'Identifier' && id.name === 'meta'
}

type MetaExport = ExportNamedDeclaration & { declaration: VariableDeclaration }

/** The object of `{…}[…]` and `{…}(…)`: a line that begins with a bracket continues the one before. */
function runsOn(init: Expression): Expression | undefined {
  let node: AnyNode = init
  while (node.type !== 'ObjectExpression') {
    if (node.type === 'MemberExpression') node = node.object
    else if (node.type === 'CallExpression') node = node.callee
    else if (node.type === 'TaggedTemplateExpression') node = node.tag
    else return undefined
  }
  return node === init ? undefined : node
}

function missing(program: Program): string {
  for (const node of program.body) {
    if (node.type === 'VariableDeclaration' && declares(node, 'meta')) {
      return 'write `export` before `const meta`'
    }
    if (node.type === 'ExportDefaultDeclaration') return 'there is no default export'
  }
  return 'this one has no meta'
}

function declares(node: { declarations: { id: { type: string; name?: string } }[] }, name: string): boolean {
  return node.declarations.some(({ id }) => id.name === name)
}
