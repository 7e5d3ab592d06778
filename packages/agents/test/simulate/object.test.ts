import type { JsonObject } from '@tutti/protocol'
import { createVirtualClock } from '@tutti/runtime/testing'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Backend } from '../../src/backend.ts'
import { createSimulateBackend } from '../../src/simulate/index.ts'
import { play } from '../stage/stage.ts'

const names = fc.constantFrom(
  'title',
  'file',
  'line',
  'severity',
  'score',
  'confirmed',
  'tags',
  'reason',
  'id',
  'x',
  'détail',
)

const formats = fc.constantFrom('date-time', 'email', 'uri', 'uuid', 'date')
const patterns = fc.constantFrom('^[a-z]{2,4}-\\d+$', '^(src|lib)/\\w+\\.ts$')

const bounded = (low: string, high: string, max: number): fc.Arbitrary<JsonObject> =>
  fc.tuple(fc.nat(max), fc.nat(max)).map(([a, b]) => ({ [low]: Math.min(a, b), [high]: Math.max(a, b) }))

type Shapes = Record<'schema' | 'object', JsonObject>

const { schema } = fc.letrec<Shapes>(tie => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    shape(fc.constant({ type: 'string' })),
    shape(bounded('minLength', 'maxLength', 60).map(bounds => ({ type: 'string', ...bounds }))),
    shape(formats.map(format => ({ type: 'string', format }))),
    shape(patterns.map(pattern => ({ type: 'string', pattern }))),
    shape(fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 4 }).map(values => ({ enum: values }))),
    shape(fc.constantFrom({ type: 'integer' }, { type: 'boolean' }, { type: ['string', 'null'] })),
    shape(bounded('minimum', 'maximum', 1000).map(bounds => ({ type: 'integer', ...bounds }))),
    shape(bounded('minimum', 'maximum', 10).map(bounds => ({ type: 'number', ...bounds }))),
    shape(tie('schema').map(items => ({ type: 'array', items }))),
    shape(
      fc
        .tuple(bounded('minItems', 'maxItems', 6), tie('schema'))
        .map(([bounds, items]) => ({ type: 'array', items, ...bounds })),
    ),
    shape(tie('schema').map(inner => ({ anyOf: [inner, { type: 'null' }] }))),
    tie('object'),
  ),
  object: shape(
    fc
      .tuple(fc.dictionary(names, tie('schema'), { maxKeys: 5 }), fc.boolean(), fc.boolean())
      .map(([properties, all, closed]) => ({
        type: 'object',
        properties,
        required: Object.keys(properties).filter((_, i) => all || i % 2 === 0),
        ...(closed && { additionalProperties: false }),
      })),
  ),
}))

function shape(from: fc.Arbitrary<unknown>): fc.Arbitrary<JsonObject> {
  return from.map(value => value as JsonObject)
}

const root = fc
  .tuple(fc.dictionary(names, schema, { maxKeys: 4 }), fc.boolean())
  .map(([properties, closed]): JsonObject => ({
    type: 'object',
    properties,
    required: Object.keys(properties),
    ...(closed && { additionalProperties: false }),
  }))

test('for any usual schema the object is valid, accepted at once, and always the same', async () => {
  const instant = (): Backend => createSimulateBackend({ speed: Infinity, clock: createVirtualClock(0) })
  const backend = instant()
  await fc.assert(
    fc.asyncProperty(root, fc.string(), fc.nat(3), async (given, prompt, n) => {
      const call = { schema: given, prompt: `${prompt} go`, n: n + 1, key: `v2:${prompt}` }
      const first = await play(backend, call)
      expect(first.outcome).toMatchObject({ status: 'ok', simulated: true })
      expect(first.submitted).toHaveLength(1)
      const again = await play(instant(), call)
      expect(JSON.stringify(again.outcome)).toBe(JSON.stringify(first.outcome))
    }),
    { numRuns: 40 },
  )
}, 30_000)
