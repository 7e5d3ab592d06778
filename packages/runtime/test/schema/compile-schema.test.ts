import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '@tutti/protocol'
import { compileSchema, createSchemaCompiler } from '../../src/schema/compile-schema.ts'
import type { SchemaIssue } from '../../src/ports/agent-executor.ts'

async function check(schema: JsonObject, value: JsonValue): Promise<SchemaIssue[]> {
  return (await compileSchema(schema)).validate(value)
}

function object(properties: JsonObject, rest: JsonObject = {}): JsonObject {
  return { type: 'object', properties, ...rest }
}

describe('validation', () => {
  test('says what is wrong by JSON pointer', async () => {
    const schema = object({ 'a/b': { type: 'array', items: { type: 'string' } } }, { required: ['x'] })
    expect(await check(schema, { 'a/b': ['ok', 1] })).toEqual([
      { path: '', message: "must have required property 'x'" },
      { path: '/a~1b/1', message: 'must be string' },
    ])
    expect(await check(schema, { 'a/b': [], x: 1 })).toEqual([])
  })

  test('names extra properties and allowed values', async () => {
    const schema = object({ level: { enum: ['low', 'high'] } }, { additionalProperties: false })
    expect(await check(schema, { level: 'mid', extra: 1 })).toEqual([
      { path: '', message: 'must NOT have additional properties: "extra"' },
      { path: '/level', message: 'must be equal to one of the allowed values: "low", "high"' },
    ])
  })

  test('lists at most 20 issues', async () => {
    const schema = object({ list: { type: 'array', items: { type: 'string' } } })
    expect(await check(schema, { list: Array.from({ length: 1000 }, (_, i) => i) })).toHaveLength(20)
  })

  test('is not satisfied by what objects inherit', async () => {
    expect(await check(object({}, { required: ['toString'] }), {})).toHaveLength(1)
    expect(await check(object({}, { required: ['__proto__'] }), {})).toHaveLength(1)
  })

  test('checks formats', async () => {
    const schema = object({ day: { type: 'string', format: 'date' } })
    expect(await check(schema, { day: '2026-02-30' })).toEqual([
      { path: '/day', message: 'must match format "date"' },
    ])
    expect(await check(schema, { day: '2026-02-28' })).toEqual([])
  })

  test('takes 0.07 as a multiple of 0.01', async () => {
    expect(await check(object({ price: { type: 'number', multipleOf: 0.01 } }), { price: 0.07 })).toEqual([])
    expect(
      await check(object({ price: { type: 'number', multipleOf: 0.01 } }), { price: 0.075 }),
    ).toHaveLength(1)
  })

  test('refuses numbers that JSON cannot hold, wherever they are', async () => {
    expect(await check(object({}), { a: [Number.NaN] })).toEqual([
      { path: '/a/0', message: 'is no JSON value' },
    ])
  })

  test('ends for a schema that refers to itself without end', async () => {
    expect(await check({ type: 'object', $ref: '#' }, {})).toEqual([
      { path: '', message: 'is nested too deeply to be checked' },
    ])
  })

  test('matches a pattern that backtracks without end in linear time', async () => {
    const validator = await compileSchema(object({ a: { type: 'string', pattern: '^(a+)+$' } }))
    const started = performance.now()
    expect(validator.validate({ a: `${'a'.repeat(20_000)}!` })).toHaveLength(1)
    expect(performance.now() - started).toBeLessThan(2000)
  })

  test('matches patterns as JavaScript would', async () => {
    const pattern = String.raw`^[\w.-]+\/\d{2,3}-\u00e9$`
    expect(await check(object({ a: { pattern } }), { a: 'x.y/123-é' })).toEqual([])
    expect(await check(object({ a: { pattern } }), { a: 'x.y/1-é' })).toHaveLength(1)
    expect(
      await check(object({}, { patternProperties: { '^x': { type: 'string' } } }), { xa: 1 }),
    ).toHaveLength(1)
  })
})

describe('several patterns', () => {
  test('are told apart', async () => {
    const schema = object({ a: { pattern: '^a$' }, b: { pattern: '^b$' } })
    expect(await check(schema, { a: 'a', b: 'b' })).toEqual([])
    expect(await check(schema, { a: 'b', b: 'a' })).toHaveLength(2)
  })
})

describe('dialects', () => {
  test.each([
    'http://json-schema.org/draft-07/schema#',
    'https://json-schema.org/draft/2020-12/schema',
    'https://json-schema.org/draft/2019-09/schema',
    undefined,
  ])('accepts ordinary schemas of %s', async $schema => {
    const schema = { ...object({ a: { $ref: '#/definitions/a' } }), definitions: { a: { type: 'string' } } }
    const full = $schema === undefined ? schema : { ...schema, $schema }
    expect(await check(full, { a: 1 })).toEqual([{ path: '/a', message: 'must be string' }])
  })

  test('reads tuples in the old and in the new spelling', async () => {
    const old = object({ t: { type: 'array', items: [{ type: 'string' }], additionalItems: false } })
    const now = object({ t: { type: 'array', prefixItems: [{ type: 'string' }], items: false } })
    for (const schema of [old, now]) {
      expect(await check(schema, { t: ['a'] })).toEqual([])
      expect(await check(schema, { t: [1] })).toHaveLength(1)
      expect(await check(schema, { t: ['a', 2] })).toHaveLength(1)
    }
  })

  test('does not mind two schemas of the same $id', async () => {
    const compiler = createSchemaCompiler()
    const $id = 'https://example.com/a'
    await compiler.compile(object({ a: { type: 'string' } }, { $id }))
    const second = await compiler.compile(object({ a: { type: 'number' } }, { $id }))
    expect(second.validate({ a: 'x' })).toHaveLength(1)
  })

  test('keeps properties that are called like keywords', async () => {
    const schema = object({ $id: { type: 'string' }, items: { type: 'array', items: { type: 'string' } } })
    expect(await check(schema, { $id: 1, items: [1] })).toHaveLength(2)
  })

  test('ignores keywords, formats and annotations it does not know', async () => {
    const schema = object({ a: { type: 'string', example: 'x', format: 'strange', optional: true } })
    expect(await check(schema, { a: 'x' })).toEqual([])
  })

  test('follows recursive references', async () => {
    const node = object({ children: { type: 'array', items: { $ref: '#/$defs/node' } } })
    const schema = { type: 'object', $ref: '#/$defs/node', $defs: { node } }
    expect(await check(schema, { children: [{ children: [1] }] })).toEqual([
      { path: '/children/0/children/0', message: 'must be object' },
    ])
  })
})

describe('bad schemas', () => {
  test.each<[string, JsonObject, string]>([
    ['a shape instead of a schema', { title_: 'string', n: 'number' }, 'none of its keys is a keyword'],
    ['a root without type', { properties: {} }, "the root must say type: 'object'"],
    [
      'a root of another type',
      { type: 'array' },
      `schema at /type: the root must be type: 'object', not "array"`,
    ],
    [
      'a type that does not exist',
      object({ a: { type: 'str' } }),
      'schema at /properties/a/type: must be one of array',
    ],
    [
      'required in a property',
      object({ a: { required: true } }),
      'schema at /properties/a/required: must be array',
    ],
    [
      'a number for a bound',
      object({ a: { minimum: '1' } }),
      'schema at /properties/a/minimum: must be number',
    ],
    ['a remote reference', object({ a: { $ref: 'https://example.com/a' } }), 'nothing is fetched'],
    ['a dangling reference', object({ a: { $ref: '#/$defs/b' } }), '"#/$defs/b" leads nowhere'],
    [
      'look-ahead',
      object({ 'a/b': { pattern: '^(?=a)' } }),
      'schema at /properties/a~1b/pattern: the pattern "^(?=a)"',
    ],
    ['a broken pattern', object({ a: { pattern: '([' } }), 'schema at /properties/a/pattern'],
    [
      'a broken name pattern',
      object({}, { patternProperties: { '([': {} } }),
      'schema at /patternProperties/([',
    ],
    ['what is no JSON', object({ a: { const: Number.NaN } }), 'schema: /properties/a/const is NaN'],
    ['too much of it', object({ a: { description: 'x'.repeat(300_000) } }), 'at most 262144'],
  ])('refuses %s', async (_what, schema, message) => {
    const refusal = compileSchema(schema)
    await expect(refusal).rejects.toThrow(message)
    await expect(refusal).rejects.toMatchObject({ name: 'WorkflowInputError', code: 'option-invalid' })
  })

  test('refuses what is nested without end', async () => {
    let schema: JsonObject = object({})
    for (let i = 0; i < 20_000; i++) schema = object({ a: schema })
    await expect(compileSchema(schema)).rejects.toMatchObject({ code: 'option-invalid' })
  })

  test('refuses what is no object at all', async () => {
    await expect(compileSchema('string' as unknown as JsonObject)).rejects.toThrow('must be a JSON Schema')
  })

  test('calls the schema by the name and code given', async () => {
    const options = { name: 'meta.args', code: 'script-invalid', root: 'any' } as const
    const refusal = compileSchema({ type: 'str' }, options)
    await expect(refusal).rejects.toMatchObject({ code: 'script-invalid' })
    await expect(refusal).rejects.toThrow('meta.args at /type')
  })
})

describe('the cache', () => {
  test('gives the same validator for the same schema, whatever the order of its keys', async () => {
    const compiler = createSchemaCompiler()
    const first = await compiler.compile({ type: 'object', required: ['a'] })
    expect(await compiler.compile({ required: ['a'], type: 'object' })).toBe(first)
    expect(await createSchemaCompiler().compile({ type: 'object', required: ['a'] })).not.toBe(first)
  })

  test('forgets what was used least recently', async () => {
    const compiler = createSchemaCompiler()
    const schema = (i: number): JsonObject => ({ type: 'object', minProperties: i })
    const first = await compiler.compile(schema(0))
    const second = await compiler.compile(schema(1))
    for (let i = 2; i < 256; i++) await compiler.compile(schema(i))
    expect(await compiler.compile(schema(0))).toBe(first)
    await compiler.compile(schema(256))
    expect(await compiler.compile(schema(0))).toBe(first)
    expect(await compiler.compile(schema(1))).not.toBe(second)
  })

  test('does not let one bad schema spoil the next', async () => {
    const compiler = createSchemaCompiler()
    await expect(compiler.compile(object({ a: { $ref: '#/$defs/b' } }))).rejects.toThrow('leads nowhere')
    expect((await compiler.compile(object({}))).validate({})).toEqual([])
  })
})
