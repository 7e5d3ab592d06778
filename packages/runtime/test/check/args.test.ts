import { describe, expect, test } from 'vitest'
import type { JsonObject, WorkflowMeta } from '@tutti/protocol'
import { prepareArgs } from '../../src/check/args.ts'

function meta(args?: JsonObject): WorkflowMeta {
  return { name: 'audit', description: 'd', ...(args && { args }) }
}

const SCHEMA: JsonObject = { type: 'object', required: ['n'], properties: { n: { type: 'number' } } }

describe('args without a schema', () => {
  test.each([
    ['{"n":1}', { n: 1 }],
    [' [1, "[2]"]\n', [1, '[2]']],
    ['"{}"', '"{}"'],
    ['1', '1'],
    ['null', 'null'],
    ['{not json}', '{not json}'],
    ['', ''],
    [{ n: '{"a":1}' }, { n: '{"a":1}' }],
    [null, null],
    [0, 0],
  ])('%j becomes %j', async (given, expected) => {
    expect(await prepareArgs(given, meta())).toEqual(expected)
  })

  test('stay undefined when there are none', async () => {
    expect(await prepareArgs(undefined, meta())).toBeUndefined()
  })
})

describe('args with a schema', () => {
  test('are checked after a string was parsed', async () => {
    expect(await prepareArgs('{"n":1}', meta(SCHEMA))).toEqual({ n: 1 })
  })

  test('are refused with the paths that do not fit', async () => {
    const refusal = prepareArgs({ n: 'x' }, meta(SCHEMA))
    await expect(refusal).rejects.toMatchObject({ name: 'WorkflowInputError', code: 'args-invalid' })
    await expect(refusal).rejects.toThrow('the args of audit do not fit: args/n must be number')
  })

  test('may be absent where nothing is required', async () => {
    expect(await prepareArgs(undefined, meta({ type: 'object' }))).toBeUndefined()
    await expect(prepareArgs(undefined, meta(SCHEMA))).rejects.toThrow('are missing')
    await expect(prepareArgs(undefined, meta({ type: 'string' }))).rejects.toThrow('are missing')
  })

  test('may be of any type the schema says', async () => {
    expect(await prepareArgs('text', meta({ type: 'string' }))).toBe('text')
    await expect(prepareArgs(null, meta({ type: 'object' }))).rejects.toMatchObject({ code: 'args-invalid' })
  })

  test('are not taken with a bad schema, which is the script’s fault', async () => {
    const refusal = prepareArgs({}, meta({ type: 'str' }))
    await expect(refusal).rejects.toMatchObject({ code: 'script-invalid' })
    await expect(refusal).rejects.toThrow('meta.args at /type')
  })
})

test('numbers that JSON cannot hold are refused with their place', async () => {
  const meta = { name: 'a', description: 'b' }
  await expect(prepareArgs({ list: [1, Number.POSITIVE_INFINITY] }, meta)).rejects.toThrow(
    /args\/list\/1 is a number/,
  )
  await expect(prepareArgs('{"n":1e999}', meta)).rejects.toThrow(/args\/n/)
})
