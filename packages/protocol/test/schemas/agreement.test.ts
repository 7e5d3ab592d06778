import { readFileSync } from 'node:fs'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import type { AgentRow, JournalLine, OutFrame, RunRecord, Settings } from '../../src/index.ts'
import * as schemas from '../../src/schemas/index.ts'
import { closedObjectOf, objectOf } from '../../src/schemas/object-of.ts'

interface Sample {
  name: string
  size?: number
  kind: 'a' | 'b'
}

const size = z.number().optional()
const kind = z.enum(['a', 'b'])

const vocabulary = [
  'control',
  'control-responses',
  'frames',
  'journal',
  'meta',
  'progress',
  'record',
  'settings',
  'tool',
  'usage',
]

function interfacesIn(file: string): string[] {
  const source = readFileSync(new URL(`../../src/${file}.ts`, import.meta.url), 'utf8')
  return [...source.matchAll(/^export interface (\w+)/gm)].map(([, name]) => name!)
}

describe('schemas and interfaces', () => {
  it.each(vocabulary)('every interface of %s has a schema', file => {
    const names = interfacesIn(file).filter(name => name !== 'UnknownFrame')
    expect(names.filter(name => !(`${name}Schema` in schemas))).toEqual([])
  })

  it('a schema that agrees compiles', () => {
    const schema: z.ZodType<Sample> = objectOf<Sample>()({ name: z.string(), size, kind })
    expect(schema.parse({ name: 'n', kind: 'a', more: 1 })).toEqual({ name: 'n', kind: 'a', more: 1 })
  })

  it('a schema that disagrees does not compile', () => {
    // @ts-expect-error a field of the interface is missing
    objectOf<Sample>()({ name: z.string(), kind })
    // @ts-expect-error a field that the interface lacks
    objectOf<Sample>()({ name: z.string(), size, kind, colour: z.string() })
    // @ts-expect-error a field of another type
    objectOf<Sample>()({ name: z.number(), size, kind })
    // @ts-expect-error an optional field is required
    objectOf<Sample>()({ name: z.string(), size: z.number(), kind })
    // @ts-expect-error a required field is optional
    objectOf<Sample>()({ name: z.string().optional(), size, kind })
    // @ts-expect-error a word of the interface is refused
    objectOf<Sample>()({ name: z.string(), size, kind: z.enum(['a']) })
    // @ts-expect-error a word that the interface lacks
    objectOf<Sample>()({ name: z.string(), size, kind: z.enum(['a', 'b', 'c']) })
    // @ts-expect-error the same for objects that are closed
    closedObjectOf<Sample>()({ name: z.string(), kind })
    expect(objectOf).toBeTypeOf('function')
  })

  it('parsing gives the interface', () => {
    expectTypeOf(schemas.AgentRowSchema.parse).returns.toEqualTypeOf<AgentRow>()
    expectTypeOf(schemas.JournalLineSchema.parse).returns.toEqualTypeOf<JournalLine>()
    expectTypeOf(schemas.OutFrameSchema.parse).returns.toEqualTypeOf<OutFrame>()
    expectTypeOf(schemas.RunRecordSchema.parse).returns.toEqualTypeOf<RunRecord>()
    expectTypeOf(schemas.SettingsSchema.parse).returns.toEqualTypeOf<Settings>()
  })
})
