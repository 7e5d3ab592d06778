import type {
  AnyNode,
  BlockStatement,
  ExportNamedDeclaration,
  ImportDeclaration,
  ModuleDeclaration,
  Pattern,
  Program,
  Statement,
  VariableDeclaration,
} from 'acorn'
import { recursive } from 'acorn-walk'

/** Whether a name, used at the end of a chain of ancestors, is bound by none of them. */
export type IsFree = (name: string, ancestors: readonly AnyNode[]) => boolean

/** Looks declarations up scope by scope; a scope is read once, when it is first asked. */
export function createScopes(): IsFree {
  const known = new Map<AnyNode, ReadonlySet<string>>()
  return (name, ancestors) => {
    for (let i = ancestors.length - 1; i >= 0; i--) {
      const node = ancestors[i]
      if (node === undefined || !SCOPES.has(node.type)) continue
      let names = known.get(node)
      if (names === undefined) known.set(node, (names = namesOf(node)))
      if (names.has(name)) return false
    }
    return true
  }
}

const SCOPES: ReadonlySet<string> = new Set([
  'Program',
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'BlockStatement',
  'StaticBlock',
  'SwitchStatement',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'CatchClause',
  'ClassDeclaration',
  'ClassExpression',
])

function namesOf(node: AnyNode): ReadonlySet<string> {
  const names = new Set<string>()
  switch (node.type) {
    case 'Program':
      addLexical(node.body, names)
      addVars(node, names)
      break
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      for (const parameter of node.params) addPattern(parameter, names)
      if (node.type !== 'ArrowFunctionExpression') names.add('arguments')
      if (node.type === 'FunctionExpression' && node.id) names.add(node.id.name)
      if (node.body.type === 'BlockStatement') addVars(node.body, names)
      break
    case 'BlockStatement':
    case 'StaticBlock':
      addLexical(node.body, names)
      if (node.type === 'StaticBlock') for (const statement of node.body) addVars(statement, names)
      break
    case 'SwitchStatement':
      for (const { consequent } of node.cases) addLexical(consequent, names)
      break
    case 'ForStatement':
      if (node.init?.type === 'VariableDeclaration') addDeclaration(node.init, names)
      break
    case 'ForInStatement':
    case 'ForOfStatement':
      if (node.left.type === 'VariableDeclaration') addDeclaration(node.left, names)
      break
    case 'CatchClause':
      if (node.param) addPattern(node.param, names)
      break
    case 'ClassDeclaration':
    case 'ClassExpression':
      if (node.id) names.add(node.id.name)
      break
    default:
  }
  return names
}

type BodyItem = Statement | ModuleDeclaration

function addLexical(body: readonly BodyItem[], names: Set<string>): void {
  for (const item of body) {
    const node = declarationOf(item)
    if (node.type === 'VariableDeclaration') addDeclaration(node, names)
    else if (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') names.add(node.id.name)
    else if (node.type === 'ImportDeclaration') for (const { local } of node.specifiers) names.add(local.name)
  }
}

function declarationOf(item: BodyItem): BodyItem | NonNullable<ExportNamedDeclaration['declaration']> {
  return item.type === 'ExportNamedDeclaration' ? (item.declaration ?? item) : item
}

function addDeclaration(node: VariableDeclaration, names: Set<string>): void {
  for (const { id } of node.declarations) addPattern(id, names)
}

/** `var` declarations anywhere below, up to the next function. */
function addVars(node: Program | BlockStatement | Statement | ImportDeclaration, names: Set<string>): void {
  const skip = (): void => {}
  recursive(node, undefined, {
    Function: skip,
    Class: skip,
    Expression: skip,
    VariableDeclaration(declaration) {
      if (declaration.kind === 'var') addDeclaration(declaration, names)
    },
  })
}

function addPattern(pattern: Pattern, names: Set<string>): void {
  switch (pattern.type) {
    case 'Identifier':
      names.add(pattern.name)
      break
    case 'ObjectPattern':
      for (const property of pattern.properties) {
        addPattern(property.type === 'RestElement' ? property.argument : property.value, names)
      }
      break
    case 'ArrayPattern':
      for (const element of pattern.elements) if (element) addPattern(element, names)
      break
    case 'RestElement':
      addPattern(pattern.argument, names)
      break
    case 'AssignmentPattern':
      addPattern(pattern.left, names)
      break
    case 'MemberExpression':
      // Not in a declaration.
      break
  }
}
