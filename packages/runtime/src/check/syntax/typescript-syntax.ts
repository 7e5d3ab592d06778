import { tokenAt, type ScriptToken, type ScriptTokens } from './script-tokens.ts'
import { declaratorOf, isClassBody, isField, isParameter, parameterListBefore } from './typescript-places.ts'
import { typeEnd, typeListEnd } from './typescript-type.ts'

/** A TypeScript construct: what it is called, and where it begins. */
export interface TypeScriptSyntax {
  name: string
  offset: number
}

/**
 * Recognises the TypeScript construct at which a parse stopped. Only what reads as TypeScript and as nothing
 * else counts: the construct must be whole, and stand where TypeScript has it.
 */
export function typescriptAt(tokens: ScriptTokens, offset: number): TypeScriptSyntax | undefined {
  const at = tokenAt(tokens, offset)
  if (at === -1) return undefined
  for (const recognise of RECOGNISERS) {
    const found = recognise(tokens, at)
    if (found !== undefined) return found
  }
  return undefined
}

type Recogniser = (tokens: ScriptTokens, at: number) => TypeScriptSyntax | undefined

const RECOGNISERS: Recogniser[] = [
  annotation,
  optionalParameter,
  declaration,
  operator,
  nonNull,
  typeList,
  modifier,
]

/** `: type` after a variable, parameter, parameter list or class field. */
function annotation(tokens: ScriptTokens, at: number): TypeScriptSyntax | undefined {
  const { list } = tokens
  // `(): type =>` stops the parser at the parenthesis, `(this: type)` at the word.
  const isBefore = list[at]?.kind === ')' || list[at]?.kind === 'this'
  const colon = isBefore && list[at + 1]?.kind === ':' ? at + 1 : at
  if (list[colon]?.kind !== ':') return undefined
  const end = typeEnd(tokens, colon + 1)
  if (end === undefined) return undefined
  const before = list[colon - 1]
  const next = list[end]?.kind
  const found = { name: 'a type annotation', offset: list[colon]?.start ?? 0 }
  if (before?.kind === ')') {
    const isHead = next === '=>' || (next === '{' && parameterListBefore(tokens, colon - 1))
    return isHead ? { ...found, name: 'a return type' } : undefined
  }
  if (isParameter(tokens, colon)) return next === ',' || next === ')' || next === '=' ? found : undefined
  const keyword = declaratorOf(tokens, colon)
  if (keyword !== undefined) {
    // `const x: { a: 1 }` is a slip for `=` rather than a type: a const has a value.
    const hasEnd = next === '=' || next === 'in' || list[end]?.text === 'of'
    const isBare = keyword !== 'const' && (next === ',' || endsStatement(tokens, end))
    return hasEnd || isBare ? found : undefined
  }
  return isField(tokens, colon) && (next === '=' || endsStatement(tokens, end)) ? found : undefined
}

/** `name?` in a list of parameters. */
function optionalParameter(tokens: ScriptTokens, at: number): TypeScriptSyntax | undefined {
  const { list } = tokens
  const next = list[at + 1]?.kind ?? ''
  if (list[at]?.kind !== '?' || ![':', ',', ')'].includes(next) || !isParameter(tokens, at)) return undefined
  return { name: 'an optional parameter', offset: list[at]?.start ?? 0 }
}

/** `interface`, `type`, `enum`, `namespace`, `declare`, `abstract class`, `import type`, `implements`. */
function declaration(tokens: ScriptTokens, at: number): TypeScriptSyntax | undefined {
  const { list } = tokens
  for (const index of [at, at - 1]) {
    const [word, name, next] = [list[index], list[index + 1], list[index + 2]]
    if (word === undefined || name === undefined) continue
    const isNamed = name.kind === 'name'
    const found = { name: `\`${word.text}\``, offset: word.start }
    switch (word.text) {
      case 'interface':
        if (isNamed && ['{', '<', 'extends'].includes(next?.kind ?? '')) return found
        break
      case 'enum':
      case 'namespace':
      case 'module':
        if (isNamed && next?.kind === '{') return found
        break
      case 'type': {
        const equals = typeListEnd(tokens, index + 2) ?? index + 2
        const isAlias = isNamed && list[equals]?.kind === '=' && typeEnd(tokens, equals + 1) !== undefined
        if (isAlias || isTypeImport(tokens, index)) return found
        break
      }
      case 'abstract':
        if (name.kind === 'class') return found
        break
      case 'declare':
        if (DECLARED.has(name.text)) return found
        break
      case 'implements':
        if (isNamed && list.slice(Math.max(0, index - 8), index).some(({ kind }) => kind === 'class'))
          return found
        break
    }
  }
  return undefined
}

const DECLARED: ReadonlySet<string> = new Set(
  'const let var function class global module namespace enum type interface abstract'.split(' '),
)

/** `import type { A } from`, `export type { A }`, `import { type A }`. */
function isTypeImport({ list, enclosing }: ScriptTokens, index: number): boolean {
  const open = enclosing[index]
  const keyword = open === undefined ? list[index - 1] : list[open - 1]
  const next = list[index + 1]?.kind
  return (
    (keyword?.kind === 'import' || keyword?.kind === 'export') &&
    (next === '{' || next === '*' || next === 'name')
  )
}

/** `value as type`, `value satisfies type`. */
function operator(tokens: ScriptTokens, at: number): TypeScriptSyntax | undefined {
  const { list } = tokens
  const word = list[at]
  if (word?.text !== 'as' && word?.text !== 'satisfies') return undefined
  if (!endsExpression(list[at - 1])) return undefined
  const end = list[at + 1]?.kind === 'const' ? at + 2 : typeEnd(tokens, at + 1)
  if (end === undefined) return undefined
  const next = list[end]
  if (
    next?.kind === 'name' &&
    next.text !== 'as' &&
    next.text !== 'satisfies' &&
    !endsStatement(tokens, end)
  ) {
    return undefined
  }
  return { name: `\`${word.text}\``, offset: word.start }
}

/** `value!` */
function nonNull({ list }: ScriptTokens, at: number): TypeScriptSyntax | undefined {
  const [before, mark, next] = [list[at - 1], list[at], list[at + 1]]
  if (mark?.kind !== '!' || !endsExpression(before) || before?.end !== mark.start) return undefined
  if (next === undefined || !AFTER_NON_NULL.has(next.kind)) return undefined
  const isDefinite = next.kind === ':'
  return { name: isDefinite ? 'a type annotation' : 'a non-null assertion (`!`)', offset: mark.start }
}

const AFTER_NON_NULL: ReadonlySet<string> = new Set(
  '. ?. [ ( ) ] } , ; : + - * / % && || ?? ? === !== == != < > <= >='.split(' '),
)

/** `function f<T>()`, `class A<T>`, `<T>(x) => x`, `<type>value`, `new Map<string, number>()`. */
function typeList(tokens: ScriptTokens, at: number): TypeScriptSyntax | undefined {
  const { list } = tokens
  for (let index = at; index >= Math.max(0, at - MAX_TYPE_ARGUMENTS); index--) {
    const end = typeListEnd(tokens, index)
    if (end === undefined) continue
    const next = list[end]?.kind ?? ''
    const found = { name: 'type arguments', offset: list[index]?.start ?? 0 }
    const close = tokens.partner.get(end)
    if (next === '(' && close !== undefined && close >= at) return found
    if (index !== at) continue
    if (next === '(' && list[(close ?? end) + 1]?.kind === '=>') return found
    const isAssertion = BUILT_IN.has(list[at + 1]?.text ?? '') && !endsExpression(list[at - 1])
    if (isAssertion) return { ...found, name: 'a type assertion' }
    const isClass = list[at - 2]?.kind === 'class' || list[at - 2]?.kind === 'extends'
    if (isClass && (next === '{' || next === 'extends' || list[end]?.text === 'implements')) return found
  }
  return undefined
}

const MAX_TYPE_ARGUMENTS = 60
/** Not the names of tags: `<string>value` is no JSX. */
const BUILT_IN: ReadonlySet<string> = new Set(
  'any unknown never string number boolean bigint symbol const'.split(' '),
)

/** `private x`, `readonly x` in a class or its constructor. */
function modifier(tokens: ScriptTokens, at: number): TypeScriptSyntax | undefined {
  const { list } = tokens
  for (const index of [at - 1, at]) {
    const word = list[index]
    const next = list[index + 1]
    if (word === undefined || !MODIFIERS.has(word.text) || next?.kind !== 'name') continue
    if (isClassBody(tokens, index) || isParameter(tokens, index + 1, index)) {
      return { name: `\`${word.text}\``, offset: word.start }
    }
  }
  return undefined
}

const MODIFIERS: ReadonlySet<string> = new Set(
  'private public protected readonly override abstract declare'.split(' '),
)

function endsExpression(token: ScriptToken | undefined): boolean {
  return (
    token !== undefined &&
    /^(?:name|string|num|template|regexp|[)\]}`]|this|null|true|false)$/.test(token.kind)
  )
}

/** True at the end, before `;` or `}`, and where the line was left since the last token. */
function endsStatement({ list }: ScriptTokens, at: number): boolean {
  const token = list[at]
  return token === undefined || token.kind === ';' || token.kind === '}' || token.startsLine
}
