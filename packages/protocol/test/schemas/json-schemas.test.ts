import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { jsonSchemas } from '../../src/schemas/index.ts'
import { accepted, refused, versions } from '../fixtures.ts'

const folder = new URL('../../schema/', import.meta.url)
const files = readdirSync(folder)

/** What JSON Schema cannot say or is left out on purpose: that one of several fields is there. */
const beyondJsonSchema = ['nothing to run', 'only arguments']

describe('the JSON Schema files', () => {
  it('are as many as the documents', () => {
    expect(files).toEqual(
      Object.keys(jsonSchemas())
        .map(name => `${name}.json`)
        .sort(),
    )
  })

  it.each(files)('%s is up to date', file => {
    expect(JSON.parse(readFileSync(new URL(file, folder), 'utf8'))).toEqual(
      jsonSchemas()[file.replace('.json', '')],
    )
  })

  it.each(versions)('accept and refuse the fixtures of version %s as the schemas do', version => {
    const read = new Map(
      Object.entries(jsonSchemas()).map(([name, schema]) => [name, z.fromJSONSchema(schema as never)]),
    )
    for (const { document, values } of accepted(version)) {
      for (const value of values) {
        expect(read.get(document)!.safeParse(value).error, `${document}: ${JSON.stringify(value)}`).toBe(
          undefined,
        )
      }
    }
    for (const { document, about, value } of refused(version)) {
      if (beyondJsonSchema.includes(about)) continue
      expect(read.get(document)!.safeParse(value).success, `${document}: ${about}`).toBe(false)
    }
  })
})
