import { describe, expect, test } from 'vitest'
import { checkScript } from '../../src/check/check-script.ts'
import { errorsOf, findingsOf, summary } from './script.ts'

function metaOf(literal: string): unknown {
  const result = checkScript(`export const meta = ${literal}`)
  return result.ok ? result.meta : result.findings
}

function messages(source: string): string[] {
  return errorsOf(checkScript(source)).map(({ message }) => message)
}

const GOOD = "name: 'n', description: 'd'"

describe('the place of meta', () => {
  test('is the first statement', () => {
    const result = checkScript("const n = 'x'\nexport const meta = { name: n, description: 'd' }\nreturn 1")
    expect(summary(result)).toEqual(['meta 1:1', 'meta 2:29'])
    expect(errorsOf(result)[0]?.message).toContain('export const meta must be the first statement')
  })

  test.each([
    ['return 1', 'a script begins with `export const meta'],
    ['', 'a script begins with `export const meta'],
    [`const meta = { ${GOOD} }`, 'write `export` before `const meta`'],
    [`export default { ${GOOD} }`, 'there is no default export'],
    [`export let meta = { ${GOOD} }`, 'meta must be a const'],
    [`export const meta = { ${GOOD} }, other = 1`, 'meta must be declared alone'],
    [`export const meta = { ${GOOD} }\nexport const meta2 = 1`, 'only meta is exported'],
    [`module.exports = { meta: { ${GOOD} } }`, 'a script begins with'],
    [`const meta = { ${GOOD} }\nexport { meta }`, 'write `export` before'],
    [`export const meta = { ${GOOD} }\n[1].map(log)`, 'write `;` after its closing brace'],
    [`export const meta = { ${GOOD} }\n(async () => {})()`, 'write `;` after its closing brace'],
  ])('is missed in %j', (source, message) => {
    expect(messages(source).join('\n')).toContain(message)
  })
})

describe('the literal', () => {
  test('is read as data', () => {
    expect(
      metaOf(`{ name: "n", 'description': \`d\nd\`, args: {
        type: 'object', n: [0, -1, +2, 1.5e3, 0x10, -0], b: [true, false, null], "a-b": {}, 1: {}, },}`),
    ).toEqual({
      name: 'n',
      description: 'd\nd',
      args: { type: 'object', n: [0, -1, 2, 1500, 16, 0], b: [true, false, null], 'a-b': {}, 1: {} },
    })
  })

  test.each([
    ['a: b', 'meta.a must be a literal: b is a variable', 38],
    ['a: undefined', 'undefined is no JSON value', 38],
    ['a: NaN', 'NaN is a variable', 38],
    ['a: f()', 'a call is not run', 38],
    ['a: new Date(0)', 'a call is not run', 38],
    ['a: x.y', 'a property access is not read', 38],
    ['a: 1 + 1', 'an expression is not read', 38],
    ['a: !0', 'an expression is not read', 38],
    ['a: -x', 'an expression is not read', 38],
    ['a: true ? 1 : 2', 'an expression is not read', 38],
    ['a: `x${1}`', 'may not contain ${}', 38],
    ['a: String.raw`x`', 'a tagged template is not run', 38],
    ['a: 1n', '1n is no JSON value', 38],
    ['a: /x/', '/x/ is no JSON value', 38],
    ['a: 1e999', '1e999 is no JSON value', 38],
    ['a: () => 1', 'a function is no JSON value', 38],
    ['a: [1, , 2]', 'meta.a[1] must be a literal: the element is missing', 38],
    ['a: [...x]', 'meta.a[0] must be a literal: a spread is not read', 39],
    ['a: [{ b: c }]', 'meta.a[0].b must be a literal', 44],
    ['...x', 'a spread is not read', 35],
    ["['a']: 1", 'a computed key is not read', 36],
    ['get a() { return 1 }', 'meta.a must be a literal: a getter is not read', 35],
    ['set a(x) {}', 'a setter is not read', 35],
    ['a() {}', 'a method is not read', 35],
    ['a', 'meta.a must be a literal: a is a variable', 35],
    ['__proto__: {}', 'the key __proto__ is not allowed', 35],
    ["'__proto__': {}", 'the key __proto__ is not allowed', 35],
    ["'\\u005f_proto__': {}", 'the key __proto__ is not allowed', 35],
    ['constructor: 1', 'the key constructor is not allowed', 35],
    ['prototype: 1', 'the key prototype is not allowed', 35],
    ['b: { __proto__: {} }', 'meta.b.__proto__ must be a literal', 40],
    ["name: 'x'", 'meta.name must be a literal: the key is there twice', 35],
  ])('refuses %s', (member, message, column) => {
    const [finding] = errorsOf(
      checkScript(`export const meta = {name: 'n', ${' '.repeat(2)}${member}, description: 'd'}`),
    )
    expect(finding).toMatchObject({ rule: 'meta', line: 1, column })
    expect(finding?.message).toContain(message)
    expect(finding?.frame).toContain('^')
  })

  test.each(['Object.freeze({})', 'x', "'text'", '[]', 'null'])('must be an object, not %s', value => {
    expect(messages(`export const meta = ${value}`)).toHaveLength(1)
  })
})

describe('the fields', () => {
  test.each([
    ["description: 'd'", 'meta.name is missing'],
    ["name: 1, description: 'd'", 'meta.name must be a string, not a number'],
    ["name: '', description: 'd'", 'meta.name must not be empty'],
    ...['a b', 'ä', '.', '..', 'a/b', 'x'.repeat(65), '..\\\\a', 'a\\n'].map(name => [
      `name: '${name}', description: 'd'`,
      'meta.name must be 1 to 64 of',
    ]),
    ["name: 'n'", 'meta.description is missing'],
    ["name: 'n', description: '  '", 'meta.description must not be empty'],
    ["name: 'n', description: null", 'meta.description must be a string, not null'],
    [`${GOOD}, whenToUse: 1`, 'meta.whenToUse must be a string, not a number'],
    [`${GOOD}, model: []`, 'meta.model must be a string, not an array'],
    [`${GOOD}, args: true`, 'meta.args must be a JSON Schema (an object), not a boolean'],
    [`${GOOD}, phases: 'Scan'`, 'meta.phases must be an array, not a string'],
    [`${GOOD}, phases: ['']`, 'meta.phases[0] must not be empty'],
    [`${GOOD}, phases: ['a', 1]`, 'meta.phases[1] must be a title or { title'],
    [`${GOOD}, phases: [{ detail: 'x' }]`, 'meta.phases[0] needs a title'],
    [`${GOOD}, phases: [{ title: 1 }]`, 'meta.phases[0].title needs a title'],
    [`${GOOD}, phases: [{ title: 'a', model: 1 }]`, 'meta.phases[0].model must be a non-empty string'],
    [`${GOOD}, phases: [{ title: 'a', detail: '' }]`, 'meta.phases[0].detail must be a non-empty string'],
  ])('are refused: { %s }', (fields, message) => {
    expect(messages(`export const meta = { ${fields} }`)).toEqual([expect.stringContaining(message)])
  })

  test.each(['a', 'A.b_c-9', '...', 'x'.repeat(64)])('accept the name %s', name => {
    expect(metaOf(`{ name: '${name}', description: 'd' }`)).toMatchObject({ name })
  })

  test('report several broken ones at once, each at its place', () => {
    const result = checkScript("export const meta = {\n  name: '',\n  phases: [\n    1,\n    '',\n  ],\n}")
    expect(summary(result)).toEqual(['meta 1:21', 'meta 2:9', 'meta 4:5', 'meta 5:5'])
  })

  test('normalise phases, and merge repeated titles with a warning', () => {
    const result = checkScript(
      `export const meta = { ${GOOD}, phases: ['Scan', { title: 'Fix', detail: 'x' }, { title: 'Scan', detail: 'y', model: 'm' }] }`,
    )
    expect(result).toMatchObject({
      ok: true,
      meta: {
        phases: [
          { title: 'Scan', detail: 'y', model: 'm' },
          { title: 'Fix', detail: 'x' },
        ],
      },
    })
    expect(summary(result)).toEqual(['phase-repeated 1:100'])
  })

  test('keep unknown ones with a warning that names them', () => {
    const result = checkScript(
      `export const meta = { ${GOOD}, version: 2, phases: [{ title: 'a', colour: 1 }] }`,
    )
    expect(result).toMatchObject({ ok: true, meta: { version: 2, phases: [{ title: 'a', colour: 1 }] } })
    expect(findingsOf(result).map(({ rule, message }) => [rule, message.split(' ')[0]])).toEqual([
      ['meta-unknown-field', 'meta.version'],
      ['meta-unknown-field', 'meta.phases[0].colour'],
    ])
  })
})
