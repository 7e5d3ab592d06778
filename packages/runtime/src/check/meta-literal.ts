import type { AnyNode, ArrayExpression, Expression, ObjectExpression, Property, SpreadElement } from 'acorn'
import type { JsonObject, JsonValue } from '@tutti/protocol'
import type { Report } from './problem.ts'

/** A value read from the syntax tree, with the offset of every part by its path (`meta.phases[0].title`). */
export interface Literal {
  value: JsonValue
  offsets: ReadonlyMap<string, number>
}

/** Reads data from an expression without running it. Undefined when something in it is not a literal. */
export function readLiteral(node: Expression, path: string, report: Report): Literal | undefined {
  const offsets = new Map<string, number>()
  let failed = false
  const refuse = (at: AnyNode, where: string, what: string): undefined => {
    failed = true
    report({
      rule: 'meta',
      severity: 'error',
      offset: at.start,
      message: `${where} must be a literal: ${what}`,
    })
  }
  const value = read(node, path, { offsets, refuse })
  return failed || value === undefined ? undefined : { value, offsets }
}

interface Reader {
  offsets: Map<string, number>
  refuse(at: AnyNode, where: string, what: string): undefined
}

function read(node: Expression | SpreadElement, path: string, reader: Reader): JsonValue | undefined {
  reader.offsets.set(path, node.start)
  switch (node.type) {
    case 'Literal':
      if (typeof node.value === 'string' || typeof node.value === 'boolean') return node.value
      if (node.value === null && node.raw === 'null') return null
      if (typeof node.value === 'number' && Number.isFinite(node.value)) return node.value
      return reader.refuse(node, path, `${node.raw ?? 'this'} is no JSON value`)
    case 'TemplateLiteral': {
      const text = node.quasis[0]?.value.cooked
      if (node.expressions.length === 0 && typeof text === 'string') return text
      return reader.refuse(node, path, 'a template literal may not contain ${}')
    }
    case 'UnaryExpression':
      return readSigned(node, path, reader)
    case 'ArrayExpression':
      return readArray(node, path, reader)
    case 'ObjectExpression':
      return readObject(node, path, reader)
    default:
      return reader.refuse(node, path, describe(node))
  }
}

function readSigned(
  node: Extract<Expression, { type: 'UnaryExpression' }>,
  path: string,
  reader: Reader,
): JsonValue | undefined {
  const { operator, argument } = node
  const isNumber = argument.type === 'Literal' && typeof argument.value === 'number'
  if (!isNumber || (operator !== '-' && operator !== '+')) {
    return reader.refuse(node, path, 'an expression is not read')
  }
  const value = Number(argument.value)
  if (!Number.isFinite(value)) return reader.refuse(node, path, 'the number is not finite')
  // JSON has no negative zero.
  return operator === '-' && value !== 0 ? -value : value
}

function readArray(node: ArrayExpression, path: string, reader: Reader): JsonValue[] {
  const values: JsonValue[] = []
  for (const [index, element] of node.elements.entries()) {
    const where = `${path}[${index}]`
    const value = element
      ? read(element, where, reader)
      : reader.refuse(node, where, 'the element is missing')
    if (value !== undefined) values.push(value)
  }
  return values
}

const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

function readObject(node: ObjectExpression, path: string, reader: Reader): JsonObject {
  const object: JsonObject = {}
  for (const property of node.properties) {
    const key = readKey(property, path, reader)
    if (key === undefined || property.type === 'SpreadElement') continue
    const where = memberPath(path, key)
    if (Object.hasOwn(object, key)) {
      reader.refuse(property, where, 'the key is there twice')
      continue
    }
    const value = read(property.value, where, reader)
    // An unreadable member still counts as present, so that it is not reported as missing too.
    object[key] = value ?? null
  }
  return object
}

function readKey(property: Property | SpreadElement, path: string, reader: Reader): string | undefined {
  if (property.type === 'SpreadElement') return reader.refuse(property, path, 'a spread is not read')
  const { key } = property
  if (property.computed) return reader.refuse(key, path, 'a computed key is not read')
  const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : ''
  const where = memberPath(path, name)
  if (property.kind !== 'init') return reader.refuse(property, where, `a ${property.kind}ter is not read`)
  if (property.method) return reader.refuse(property, where, 'a method is not read')
  if (property.shorthand) return reader.refuse(property, where, `${name} is a variable`)
  if (FORBIDDEN_KEYS.has(name)) return reader.refuse(key, where, `the key ${name} is not allowed`)
  return name
}

/** `path.key`, or `path["key"]` where the key is no identifier. */
export function memberPath(path: string, key: string): string {
  return /^[\w$]+$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`
}

function describe(node: Expression | SpreadElement): string {
  switch (node.type) {
    case 'Identifier':
      return node.name === 'undefined'
        ? 'undefined is no JSON value; leave the field out'
        : `${node.name} is a variable`
    case 'CallExpression':
    case 'NewExpression':
      return 'a call is not run'
    case 'SpreadElement':
      return 'a spread is not read'
    case 'MemberExpression':
      return 'a property access is not read'
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return 'a function is no JSON value'
    case 'TaggedTemplateExpression':
      return 'a tagged template is not run'
    default:
      return 'an expression is not read'
  }
}
