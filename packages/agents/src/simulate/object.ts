import type { JsonObject, JsonValue } from '@tutti/protocol'
import type { GenerateOptions, JsonSchema } from 'json-schema-faker'
import {
  readableInteger,
  readableNumber,
  readableString,
  type Material,
  type ValuePlace,
} from './readable.ts'
import type { Seeded } from './seed.ts'
import { hasReferences } from './size.ts'
import type { Subject } from './subject.ts'

type JsonSchemaObject = Exclude<JsonSchema, boolean>

export interface ObjectRequest {
  schema: JsonObject
  subject: Subject
  seeded: Seeded
  /** From 0; each try gives another object. The later ones care for validity only. */
  attempt: number
}

const READABLE_ATTEMPTS = 2
const LIST_LENGTH = 3

/** Makes an object for a schema, usually a valid one. Throws for a schema that refers to another document. */
export type ObjectMaker = (request: ObjectRequest) => JsonValue

/** Loads the generator. */
export async function loadObjectMaker(): Promise<ObjectMaker> {
  const { generateSync } = await import('json-schema-faker')
  return ({ schema, subject, seeded, attempt }) => {
    const options: GenerateOptions = {
      seed: seeded.integer(`object ${attempt}`, 0, 2 ** 31 - 1),
      alwaysFakeOptionals: attempt < READABLE_ATTEMPTS && !hasReferences(schema),
      maxDefaultItems: LIST_LENGTH,
      maxDepth: 6,
      minDateTime: '2026-01-01T00:00:00.000Z',
      maxDateTime: '2026-12-31T00:00:00.000Z',
    }
    if (attempt < READABLE_ATTEMPTS) {
      options.outputTransform = (value, at, path) =>
        readable(value, at, { path, material: { subject, seeded } })
    }
    return generateSync(schema, options) as JsonValue
  }
}

function readable(value: unknown, schema: JsonSchema, where: { path: string; material: Material }): unknown {
  if (typeof schema === 'boolean' || isFixed(schema)) return value
  const place = placeOf(where.path)
  if (typeof value === 'string') {
    if (schema.pattern !== undefined || schema.format !== undefined) return value
    return fitted(readableString(place, where.material), schema)
  }
  if (typeof value === 'number') return readableFigure(value, schema, { place, material: where.material })
  if (Array.isArray(value)) return shortened(value, schema, where)
  return value
}

function readableFigure(
  value: number,
  schema: JsonSchemaObject,
  at: { place: ValuePlace; material: Material },
): number {
  const bounds = [
    schema.minimum,
    schema.maximum,
    schema.exclusiveMinimum,
    schema.exclusiveMaximum,
    schema.multipleOf,
  ]
  if (Number.isInteger(value))
    return bounds.every(bound => bound === undefined) ? readableInteger(at.place, at.material) : value
  if (bounds.every(bound => bound === undefined)) return readableNumber(at.place, at.material)
  const rounded = Math.round(value * 100) / 100
  const inside = rounded > (schema.minimum ?? -Infinity) && rounded < (schema.maximum ?? Infinity)
  return inside && bounds.slice(2).every(bound => bound === undefined) ? rounded : value
}

/** Lists without bounds get one to three entries. */
function shortened(
  value: unknown[],
  schema: JsonSchemaObject,
  where: { path: string; material: Material },
): unknown[] {
  const bounded = ['minItems', 'maxItems', 'prefixItems', 'contains', 'minContains'].some(
    name => name in schema,
  )
  return bounded
    ? value
    : value.slice(0, where.material.seeded.integer(`${where.path} length`, 1, LIST_LENGTH))
}

function isFixed(schema: JsonSchemaObject): boolean {
  return schema.enum !== undefined || schema.const !== undefined
}

/** Cut or filled up to the lengths of the schema, counted in code points. */
function fitted(text: string, { minLength = 0, maxLength = Infinity }: JsonSchemaObject): string {
  const characters = Array.from(text)
  if (characters.length > maxLength) return characters.slice(0, maxLength).join('')
  return characters.length < minLength ? text + '.'.repeat(minLength - characters.length) : text
}

function placeOf(path: string): ValuePlace {
  const parts = path.split('/').slice(1)
  const item = parts.findLast(part => /^\d+$/.test(part))
  return { path, property: parts.findLast(part => !/^\d+$/.test(part)) ?? '', item: Number(item ?? 0) }
}
